//! A request: its members as received, and the call that they describe.

use std::borrow::Cow;
use std::sync::OnceLock;

use exactum_model::{Array, DataType};
use exactum_vectors::{array_to_json, input_from_json, is_generated};
use serde_json::{Map, Value};

use crate::asked::Asked;
use crate::call::Call;
use crate::operations::{Operation, OutputType};
use crate::protocol::{Fault, Outcome};

/// A request: its JSON members without `id`, in any order. Members that the operation does not know are ignored. Each
/// member is parsed at most once, and the result is kept.
#[derive(Clone, Debug)]
pub struct Request {
    members: Map<String, Value>,
    /// The array that replaces the member `input`.
    input: Option<Array>,
    call: OnceLock<Outcome<Call>>,
    configuration: OnceLock<Option<Value>>,
}

impl PartialEq for Request {
    fn eq(&self, other: &Self) -> bool {
        self.sent() == other.sent()
    }
}

impl From<Map<String, Value>> for Request {
    fn from(members: Map<String, Value>) -> Self {
        Self::new(members)
    }
}

impl Request {
    /// Makes a request from its members.
    #[must_use]
    pub fn new(members: Map<String, Value>) -> Self {
        Self {
            members,
            input: None,
            call: OnceLock::new(),
            configuration: OnceLock::new(),
        }
    }

    /// Returns the members. The input of a vector may still be in its generated form (ranges or a formula).
    #[must_use]
    pub fn members(&self) -> &Map<String, Value> {
        &self.members
    }

    /// Returns the members for modification. Everything is parsed again afterwards.
    pub fn members_mut(&mut self) -> &mut Map<String, Value> {
        if let Cow::Owned(members) = self.sent() {
            self.members = members;
        }
        self.input = None;
        self.call = OnceLock::new();
        self.configuration = OnceLock::new();
        &mut self.members
    }

    /// Returns the members as they are sent: every array with its shape and data.
    #[must_use]
    pub fn sent(&self) -> Cow<'_, Map<String, Value>> {
        let input = match (&self.input, self.members.get("input")) {
            (Some(input), _) => array_to_json(input),
            (None, Some(input)) if is_generated(input) => match input_from_json(input) {
                Ok(input) => array_to_json(&input),
                Err(_) => return Cow::Borrowed(&self.members),
            },
            _ => return Cow::Borrowed(&self.members),
        };
        let mut members = self.members.clone();
        members.insert("input".into(), input);
        Cow::Owned(members)
    }

    /// Returns the same request with another input.
    #[must_use]
    pub fn with_input(&self, input: Array) -> Self {
        let call = match self.call.get() {
            Some(Ok(call)) => OnceLock::from(Ok(call.of_input(input.clone()))),
            _ => OnceLock::new(),
        };
        Self {
            members: self.members.clone(),
            input: Some(input),
            call,
            configuration: self.configuration.clone(),
        }
    }

    /// Returns the same request with nothing parsed yet.
    #[must_use]
    pub(crate) fn unread(&self) -> Self {
        Self {
            input: self.input.clone(),
            ..Self::new(self.members.clone())
        }
    }

    /// Returns whether the input is generated from ranges or a formula, and is therefore possibly large.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        self.input.is_none() && self.members.get("input").is_some_and(is_generated)
    }

    /// Returns the operation's name, or an empty string if there is none.
    #[must_use]
    pub fn op(&self) -> &str {
        self.text("op").unwrap_or_default()
    }

    /// Returns the operation.
    ///
    /// # Errors
    /// [`Fault::Error`] if no operation has this name.
    pub fn operation(&self) -> Outcome<&'static Operation> {
        let name = Asked(&self.members).text("op")?;
        Operation::named(name).ok_or_else(|| Fault::Error(format!("unknown operation {name:?}")))
    }

    /// Returns the call that the request makes, with its documents resolved.
    ///
    /// # Errors
    /// [`Fault::Error`] if this is not a request: an unknown operation, a missing member or one of another form, or an
    /// array whose length does not match its shape. [`Fault::Reject`] for an unknown data type and for documents that
    /// are rejected.
    pub fn call(&self) -> Result<&Call, &Fault> {
        let call = self.call.get_or_init(|| match &self.input {
            // Rare: `with_input` was called before anything was parsed.
            Some(_) => Call::read(self.operation()?, &self.sent()),
            None => Call::read(self.operation()?, &self.members),
        });
        call.as_ref()
    }

    /// Returns the array that the request holds, if it holds one.
    #[must_use]
    pub fn input(&self) -> Option<Cow<'_, Array>> {
        match (&self.input, self.call.get()) {
            (Some(input), _) => Some(Cow::Borrowed(input)),
            (None, Some(Ok(call))) if call.input().is_some() => call.input().map(Cow::Borrowed),
            _ => input_from_json(self.members.get("input")?)
                .ok()
                .map(Cow::Owned),
        }
    }

    /// Returns a member that is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.members.get(key)?.as_str()
    }

    /// Returns a required member that is a string.
    ///
    /// # Errors
    /// [`Fault::Error`] if it is missing or not a string.
    pub fn need_text(&self, key: &str) -> Outcome<&str> {
        Asked(&self.members).text(key)
    }

    /// Returns the member `data_type`.
    ///
    /// # Errors
    /// [`Fault::Error`] if it is not a string, [`Fault::Reject`] if it does not name a data type.
    pub fn data_type(&self) -> Outcome<DataType> {
        Asked(&self.members).data_type()
    }

    /// Returns the bytes of a member in hex.
    ///
    /// # Errors
    /// [`Fault::Error`] if it is missing or not hex.
    pub fn hex(&self, key: &str) -> Outcome<Vec<u8>> {
        Asked(&self.members).hex(key)
    }

    /// Returns a member that is a list of extents.
    ///
    /// # Errors
    /// [`Fault::Error`] if it is missing or not such a list.
    pub fn shape(&self, key: &str) -> Outcome<Vec<u64>> {
        Asked(&self.members).shape(key)
    }

    /// Returns the member `input`, an array.
    ///
    /// # Errors
    /// [`Fault::Error`] if it is missing or not an array, [`Fault::Reject`] if its data type is unknown.
    pub fn need_input(&self) -> Outcome<Array> {
        match &self.input {
            Some(input) => Ok(input.clone()),
            None => Asked(&self.members).array("input"),
        }
    }

    /// Returns the configuration as JSON, or `None` if it is not JSON.
    #[must_use]
    pub fn configuration(&self) -> Option<&Value> {
        let configuration = self.configuration.get_or_init(|| {
            let text = self.text("configuration")?;
            serde_json::from_str(text).ok()
        });
        configuration.as_ref()
    }

    /// Returns the name of the input data type, as JSON.
    #[must_use]
    pub fn input_data_type(&self) -> Option<Value> {
        match self.members.get("input") {
            Some(input) => input.get("data_type").cloned(),
            None => self.members.get("data_type").cloned(),
        }
    }

    /// Returns the name of the output data type, as JSON.
    #[must_use]
    pub fn output_data_type(&self) -> Option<Value> {
        let output = self
            .operation()
            .map_or(OutputType::Same, |operation| operation.output);
        match output {
            OutputType::Same => self.input_data_type(),
            OutputType::Asked => self.members.get("data_type").cloned(),
            OutputType::Configured => match self.configuration()?.get("data_type")? {
                Value::Object(named) => named.get("name").cloned(),
                name => Some(name.clone()),
            },
        }
    }

    /// Returns whether the chunk of the request has an extent of 0, and therefore no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        if let Some(input) = &self.input {
            return input.is_empty();
        }
        let shape = self.written_shape();
        shape.is_some_and(|shape| shape.iter().any(|extent| extent.as_u64() == Some(0)))
    }

    /// Returns the number of dimensions of the request's chunk, if it has one.
    #[must_use]
    pub fn rank(&self) -> Option<usize> {
        match (&self.input, self.members.get("input")) {
            (Some(input), _) => Some(input.shape().len()),
            (None, Some(input)) if input.get("ranges").is_some() => Some(1),
            _ => self.written_shape().map(Vec::len),
        }
    }

    fn written_shape(&self) -> Option<&Vec<Value>> {
        let holder = match self.members.get("input") {
            Some(input) => input.get("shape"),
            None => self.members.get("shape"),
        };
        holder.and_then(Value::as_array)
    }
}
