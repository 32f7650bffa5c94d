//! Terms of recipes that depend on the data type of a topic, or that cannot be written literally.
//!
//! - `{max-99}` is a decimal number, and `{#max|sign}` is a bit pattern in hex, in quotes.
//! - `{NAME}` is a text, `{NAME:2}` is the same text without its first two letters, and `{NAME!}` is in capitals.
//! - `{repeat:400:9}` is 400 nines; in the repeated text, `()` stands for `{}`.
//! - `{u+feff}`, `{tab}`, `{newline}`, `{return}` and `{space}` are single characters, and `{nothing}` is empty.
//! - `[signed bits>24]` before a line restricts the line to certain data types.

use std::collections::BTreeMap;

use exactum_model::{DataType, FloatFormat, Format};

/// The names that a recipe may use in a topic.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    data_type: Option<DataType>,
    texts: BTreeMap<String, String>,
    numbers: BTreeMap<&'static str, i128>,
}

impl Terms {
    /// Returns the terms of a topic about a data type, with the texts that the file and the topic name.
    pub(super) fn new(data_type: Option<DataType>, mut texts: BTreeMap<String, String>) -> Self {
        let mut numbers = BTreeMap::new();
        if let Some(data_type) = data_type {
            let format = data_type.format();
            texts.insert("type".into(), data_type.name().into());
            let ones = format.component_mask();
            let width = 2 * format.component_bytes();
            numbers.insert("bits", format.component_bits().into());
            numbers.insert("width", i128::try_from(width).unwrap_or_default());
            numbers.insert("ones", ones.into());
            // Bytes that reveal their order.
            let order = (0x0123_4567_89ab_cdef >> (64 - 4 * width)) & ones;
            numbers.insert("order", order.into());
            match (format, format.float()) {
                (Format::Integer(format), _) => {
                    numbers.insert("min", format.min());
                    numbers.insert("max", format.max());
                }
                (_, Some(format)) => {
                    numbers.extend(float(&format));
                    // The digits of every width include letters.
                    let digits = (format.nan_bits().unwrap_or(0) | 0xab) & ones;
                    let digits = format!("{digits:0width$x}");
                    let (front, back) = digits.split_at(width / 2);
                    texts.insert("mixed".into(), front.to_uppercase() + back);
                    texts.insert("digits".into(), digits);
                    let one = numbers.get("one").copied().unwrap_or_default();
                    texts.insert("one".into(), format!("{one:0width$x}"));
                }
                _ => {}
            }
        }
        Self {
            data_type,
            texts,
            numbers,
        }
    }

    /// Returns whether a condition holds, which requires that each of its words holds. `!` before a word negates it.
    pub(super) fn hold(&self, condition: &str) -> Result<bool, String> {
        for word in condition.split_whitespace() {
            let (word, wanted) = match word.strip_prefix('!') {
                Some(word) => (word, false),
                None => (word, true),
            };
            if self.holds(word)? != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn holds(&self, word: &str) -> Result<bool, String> {
        let data_type = self
            .data_type
            .ok_or_else(|| format!("[{word}] in a topic without a data type"))?;
        if let Ok(named) = word.parse::<DataType>() {
            return Ok(named == data_type);
        }
        let format = data_type.format();
        if let Some(sign) = word.find(['<', '=', '>']) {
            let (left, right) = (self.number(&word[..sign])?, self.number(&word[sign + 1..])?);
            return Ok(match word.as_bytes()[sign] {
                b'<' => left < right,
                b'>' => left > right,
                _ => left == right,
            });
        }
        let float = format.float();
        Ok(match word {
            "integer" => matches!(format, Format::Integer(_)),
            "float" => matches!(format, Format::Float(_)),
            "complex" => matches!(format, Format::Complex(_)),
            "bool" => matches!(format, Format::Bool),
            "signed" => match format {
                Format::Integer(format) => format.signed,
                _ => float.is_some_and(|format| format.signed),
            },
            "infinity" => float.is_some_and(|format| format.infinity),
            "nan" => float.is_some_and(|format| format.nan_bits().is_some()),
            "zero" => float.is_none_or(|format| format.zero),
            "negative-zero" => float.is_some_and(|format| format.negative_zero),
            _ => return Err(format!("[{word}] is not a condition")),
        })
    }

    /// Replaces every `{name}` in a text; braces that belong to JSON are kept.
    pub(super) fn expand(&self, text: &str) -> Result<String, String> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            let (before, after) = rest.split_at(start);
            expanded.push_str(before);
            let begins = |it: char| it == '#' || it.is_ascii_lowercase();
            let named = after[1..].starts_with(begins);
            match after.find('}').filter(|_| named) {
                Some(end) => {
                    expanded.push_str(&self.term(&after[1..end])?);
                    rest = &after[end + 1..];
                }
                None => {
                    // This brace belongs to JSON.
                    expanded.push('{');
                    rest = &after[1..];
                }
            }
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    fn term(&self, term: &str) -> Result<String, String> {
        if let Some(text) = self.texts.get(term) {
            return self.expand(text);
        }
        if let Some((name, start)) = term.split_once(':')
            && let Some(text) = self.texts.get(name)
        {
            let start: usize = start
                .parse()
                .map_err(|_| format!("{{{term}}}: the start is not a number"))?;
            return Ok(text.get(start..).unwrap_or_default().to_owned());
        }
        if let Some(text) = term.strip_suffix('!').and_then(|name| self.texts.get(name)) {
            return Ok(text.to_uppercase());
        }
        if let Some(sum) = term.strip_prefix('#') {
            let digits = self
                .data_type
                .ok_or_else(|| format!("{{{term}}} in a topic without a data type"))?
                .format()
                .component_bytes()
                * 2;
            return Ok(format!("\"0x{:0digits$x}\"", self.sum(sum)?));
        }
        if let Some(repeated) = term.strip_prefix("repeat:") {
            let (times, text) = repeated.split_once(':').ok_or("{repeat:TIMES:TEXT}")?;
            let times = usize::try_from(self.sum(times)?).map_err(|_| format!("{times} times"))?;
            return Ok(text.replace("(", "{").replace(")", "}").repeat(times));
        }
        if let Some(code) = term.strip_prefix("u+") {
            let letter = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
            return Ok(letter
                .ok_or_else(|| format!("{{{term}}} is not a letter"))?
                .into());
        }
        let letter = match term {
            "space" => " ",
            "tab" => "\t",
            "newline" => "\n",
            "return" => "\r",
            "nothing" => "",
            _ => return self.sum(term).map(|number| number.to_string()),
        };
        Ok(letter.into())
    }

    /// Evaluates numbers joined by `+`, `-`, `*`, `/` and, for bits, `|`, from left to right.
    fn sum(&self, text: &str) -> Result<i128, String> {
        let is_sign = |it: char| "+*/|-".contains(it);
        let mut rest = text;
        let mut total = None;
        let mut sign = '+';
        loop {
            let end = rest.find(is_sign).unwrap_or(rest.len());
            let number = self.number(&rest[..end])?;
            total = match (total, sign) {
                (None, _) => Some(number),
                (Some(total), '+') => i128::checked_add(total, number),
                (Some(total), '-') => total.checked_sub(number),
                (Some(total), '*') => total.checked_mul(number),
                (Some(total), '/') => total.checked_div(number),
                (Some(total), _) => Some(total | number),
            };
            if total.is_none() {
                return Err(format!("{text} has no value"));
            }
            let mut letters = rest[end..].chars();
            match letters.next() {
                Some(next) => sign = next,
                None => return total.ok_or_else(|| format!("{text} has no value")),
            }
            rest = letters.as_str();
        }
    }

    fn number(&self, text: &str) -> Result<i128, String> {
        if let Some(number) = self.numbers.get(text) {
            return Ok(*number);
        }
        let number = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => text.parse(),
        };
        number.map_err(|_| format!("{{{text}}} is not known here"))
    }
}

/// Returns the named bit patterns of a float.
fn float(format: &FloatFormat) -> Vec<(&'static str, i128)> {
    let digits = u64::from(format.mantissa_bits) + 1;
    let (normal, max) = (format.mantissa_mask() + 1, format.max_finite_bits());
    let half_step =
        (format.max_exponent_field().saturating_sub(1 + digits)) << format.mantissa_bits;
    let named = [
        ("sign", Some(format.sign_mask())),
        (
            "one",
            u64::try_from(format.bias)
                .ok()
                .map(|bias| bias << format.mantissa_bits),
        ),
        ("mantissa", Some(format.mantissa_bits.into())),
        ("normal", Some(normal)),
        ("max", Some(max)),
        // Half the distance between the two largest values: the tie beyond the largest one.
        ("half_step", Some(half_step)),
        // 2 to the number of digits: from here on, odd integers are not representable.
        ("whole", 1u64.checked_shl(format.mantissa_bits + 1)),
        ("nan", format.nan_bits()),
        ("infinity", format.infinity_bits()),
    ];
    let known = named.into_iter();
    known
        .filter_map(|(name, bits)| Some((name, i128::from(bits?))))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use exactum_model::DataType;

    use super::Terms;

    fn terms(data_type: DataType) -> Terms {
        let texts = BTreeMap::from([("list".to_owned(), "[{min}]".to_owned())]);
        Terms::new(Some(data_type), texts)
    }

    #[test]
    fn terms_are_replaced() {
        for (data_type, text, expanded) in [
            (DataType::Int8, "{min} {max-99} {max/2+1}", "-128 28 64"),
            (DataType::Int8, r#"{"a":{max}} {} {"#, r#"{"a":127} {} {"#),
            (
                DataType::Int8,
                "{type} {list}{repeat:3:ab}",
                "int8 [-128]ababab",
            ),
            (
                DataType::Float16,
                "{#normal|sign} {#1}",
                "\"0x8400\" \"0x0001\"",
            ),
            (DataType::Float16, "{u+e9}{tab}{nothing}|", "\u{e9}\t|"),
        ] {
            assert_eq!(terms(data_type).expand(text).as_deref(), Ok(expanded));
        }
    }

    #[test]
    fn conditions_hold_or_not() {
        for (data_type, condition, holds) in [
            (DataType::Int8, "signed bits=8", true),
            (DataType::Int8, "bits>24", false),
            (DataType::Uint8, "!signed integer", true),
            (DataType::Float16, "infinity nan zero float16", true),
            (DataType::Float8E8m0fnu, "zero", false),
        ] {
            assert_eq!(terms(data_type).hold(condition), Ok(holds), "{condition}");
        }
    }

    #[test]
    fn what_is_unknown_is_named() {
        for (text, why) in [
            ("{sign}", "{sign} is not known here"),
            ("{max/0}", "max/0 has no value"),
            ("{u+d800}", "{u+d800} is not a letter"),
        ] {
            assert_eq!(terms(DataType::Int8).expand(text), Err(why.to_owned()));
        }
        assert!(terms(DataType::Int8).hold("blue").is_err());
        assert!(Terms::default().hold("signed").is_err());
    }
}
