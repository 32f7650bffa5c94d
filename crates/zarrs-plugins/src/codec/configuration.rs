//! Configurations: conversion from the parsed values of zarrs back to the text that `exactum-metadata` reads.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, PoisonError, RwLock};

use exactum_model::{DataType, Rejection};
use zarrs::metadata::Configuration;

use crate::json;

/// A configuration that is read again for every data type of the codec's input, because its scalars have no meaning
/// without the data type.
pub(crate) struct Configured<T> {
    configuration: Configuration,
    text: String,
    parse: fn(&str, DataType) -> Result<T, Rejection>,
    known: RwLock<BTreeMap<DataType, Result<Arc<T>, Rejection>>>,
}

impl<T> Configured<T> {
    /// Keeps a configuration.
    ///
    /// # Errors
    /// A fault that exists for every data type among `data_types`, such as an unknown key. If the reasons
    /// differ, it is the one for `float64`. A fault that exists only for some data types is not found before
    /// [`get`](Self::get).
    pub(crate) fn new(
        configuration: Configuration,
        data_types: impl IntoIterator<Item = DataType>,
        parse: fn(&str, DataType) -> Result<T, Rejection>,
    ) -> Result<Self, Rejection> {
        let text = json::text_of_object(&configuration);
        let mut known = BTreeMap::new();
        let mut fits = false;
        let mut faults = Vec::new();
        for data_type in data_types {
            let outcome = parse(&text, data_type).map(Arc::new);
            match &outcome {
                Ok(_) => fits = true,
                Err(rejection) => faults.push((data_type, rejection.clone())),
            }
            known.insert(data_type, outcome);
        }
        if let (false, Some(rejection)) = (fits, whatever_the_data_type(&faults)) {
            return Err(rejection);
        }
        Ok(Self {
            configuration,
            text,
            parse,
            known: RwLock::new(known),
        })
    }

    /// Returns the codec for arrays of a data type.
    ///
    /// # Errors
    /// A fault of the configuration for this data type.
    pub(crate) fn get(&self, data_type: DataType) -> Result<Arc<T>, Rejection> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = known.get(&data_type) {
            return outcome.clone();
        }
        drop(known);
        let outcome = (self.parse)(&self.text, data_type).map(Arc::new);
        self.known
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(data_type, outcome.clone());
        outcome
    }

    /// Returns the configuration as it was given.
    pub(crate) fn configuration(&self) -> &Configuration {
        &self.configuration
    }
}

/// Returns one rejection that represents those of all data types.
fn whatever_the_data_type(faults: &[(DataType, Rejection)]) -> Option<Rejection> {
    let leading = faults.first()?;
    if faults.iter().all(|(_, fault)| *fault == leading.1) {
        return Some(leading.1.clone());
    }
    let (data_type, fault) = faults
        .iter()
        .find(|(data_type, _)| *data_type == DataType::Float64)
        .unwrap_or(leading)
        .clone();
    Some(Rejection {
        message: format!(
            "this is not valid for any data type; for {data_type}, {}",
            fault.message
        ),
        ..fault
    })
}

impl<T> Debug for Configured<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
