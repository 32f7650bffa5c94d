//! Compares views of non-numeric elements with the reference.

use exactum_model::{
    Decimal, Domain, Downsample, Json, JsonText, Level, Method, Text, TextType, Texts,
};

use super::{below, level, transform, within};
use crate::arch;
use crate::downsample::{How, read_texts_at};
use crate::tests::numbers::Random;
use crate::tests::without_message;

const STRINGS: [&str; 10] = [
    "",
    "a",
    "a\0",
    "a\u{1}",
    "ab",
    "b",
    "\u{e9}",
    "\u{ff5e}",
    "\u{10000}",
    "B",
];

fn number(random: &mut Random) -> Json {
    let digits = random.pick(&[
        "0",
        "1",
        "10",
        "15",
        "9007199254740993",
        "18446744073709551615",
    ]);
    let exponent = random.pick(&[0, -1, -400, 400, 5]);
    let number = Decimal::new(below(random, 2) == 0, digits, exponent);
    Json::Number(number.expect("a small exponent"))
}

fn json(random: &mut Random, depth: u64) -> Json {
    let string = |random: &mut Random| random.pick(&STRINGS).to_owned();
    match below(random, if depth == 0 { 4 } else { 6 }) {
        0 => Json::Null,
        1 => Json::Bool(below(random, 2) == 0),
        2 => number(random),
        3 => Json::String(string(random)),
        4 => Json::Array(
            (0..below(random, 3))
                .map(|_| json(random, depth - 1))
                .collect(),
        ),
        _ => {
            let members = (0..below(random, 3)).map(|_| (string(random), json(random, depth - 1)));
            Json::Object(members.collect())
        }
    }
}

fn element(random: &mut Random, data_type: TextType) -> Text {
    match data_type {
        TextType::Byte | TextType::Char => Text::Byte(random.pick(&[0, 1, 97, 127, 128, 255])),
        TextType::String | TextType::Ustring => Text::String(random.pick(&STRINGS).into()),
        TextType::Json => {
            let value = json(random, 2);
            let text = format!("{value:?}");
            Text::Json(JsonText { text, value })
        }
    }
}

#[test]
fn random_views_of_texts() {
    let mut random = Random(0x7e47);
    let mut read = 0;
    for _ in 0..crate::tests::inputs(20_000, 40) {
        let data_type = random.pick(TextType::ALL);
        let rank = below(&mut random, 4);
        let domain = Domain::of_intervals((0..rank).map(|_| {
            let start = within(&mut random, -9, 9);
            start..within(&mut random, start, start + 7)
        }));
        // Uses only a few different elements, so that some occur more often than others.
        let pool: Vec<Text> = (0..=below(&mut random, 5))
            .map(|_| element(&mut random, data_type))
            .collect();
        let count = domain.len().expect("a small box");
        let elements = (0..count).map(|_| {
            let index = below(&mut random, pool.len() as u64);
            pool[usize::try_from(index).expect("an index")].clone()
        });
        let elements = elements.collect();
        let texts = Texts::new(data_type, domain, elements).expect("one element per position");
        let mut view = Downsample {
            levels: Vec::new(),
            transform: None,
        };
        for _ in 0..below(&mut random, 3) {
            let level = level(&mut random, texts.domain().rank());
            let method = random.pick(&[Method::Stride, Method::Mode, Method::Mode, level.method()]);
            view.levels
                .push(Level::new(level.factors().to_vec(), method).expect("factors"));
        }
        if below(&mut random, 3) == 0
            && let Ok((_, last)) = view.domains_of_texts(&texts)
        {
            view.transform = Some(transform(&mut random, &last));
        }
        let expected = exactum_reference::downsample::read_texts(&view, &texts);
        read += u32::from(expected.is_ok());
        for arch in arch::SimdLevel::available() {
            let how = How { arch, slab: 64 };
            let actual = read_texts_at(how, &view, &texts);
            assert_eq!(
                actual.map_err(without_message),
                expected.clone().map_err(without_message),
                "{view:?} of {texts:?}"
            );
        }
    }
    assert!(read > 20, "{read}");
}
