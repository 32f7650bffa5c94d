//! `arrays`: whole arrays in memory, written and read by libraries, with packed data in their chunks, on one thread.

use std::sync::Arc;

use exactum_conformance::model::Direction;
use exactum_zarrs_plugins::register;
use serde_json::json;
use zarrs::array::{Array, ArrayBytes, CodecOptions};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{StoreKey, WritableStorageTraits as _};

use super::chain::{Packing, packings};
use super::outside::Work;
use super::session::Bench;
use super::time::Contestant;

pub(super) const ROW: &str = "arrays";

/// The number of elements in a chunk.
const CHUNK: usize = 1 << 18;

type Memory = Array<MemoryStore>;

pub(super) fn run(bench: &mut Bench<'_>) {
    for packing in packings() {
        for direction in [Direction::Encode, Direction::Decode] {
            bench.array(packing, direction);
        }
    }
}

/// Opens a new array in memory.
fn open(
    packing: &Packing,
    count: usize,
    open: impl FnOnce(Arc<MemoryStore>) -> Option<Memory>,
) -> Option<Memory> {
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [count],
        "data_type": packing.from.name(),
        "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [CHUNK]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": packing.codecs(),
    });
    let store = Arc::new(MemoryStore::new());
    let key = StoreKey::new("zarr.json").expect("a key");
    store
        .set(&key, document.to_string().into_bytes().into())
        .expect("memory");
    open(store)
}

fn write(array: &Memory, elements: &[u8]) {
    let options = CodecOptions::default().with_concurrent_target(1);
    let all = array.subset_all();
    array
        .store_array_subset_opt(&all, ArrayBytes::new_flen(elements), &options)
        .expect("the input is accepted");
}

fn read(array: &Memory) -> Vec<u8> {
    let options = CodecOptions::default().with_concurrent_target(1);
    let bytes: ArrayBytes<'static> = array
        .retrieve_array_subset_opt(&array.subset_all(), &options)
        .expect("what was written is read");
    bytes.into_fixed().expect("numbers").into_owned()
}

impl Bench<'_> {
    fn array(&mut self, packing: Packing, direction: Direction) {
        let count = packing.count(self.options.traffic(), CHUNK);
        let [decoded, stored] = packing.bytes(count);
        let verb = match direction {
            Direction::Encode => "write",
            Direction::Decode => "read",
        };
        let Some(case) = self.case(
            ROW,
            format!("{verb} {}", packing.name(direction)),
            decoded + stored,
        ) else {
            return;
        };
        let period = packing.period();
        let elements: Vec<u8> = period.iter().copied().cycle().take(decoded).collect();
        let plugins = register();
        let ours = open(&packing, count, |store| plugins.open(store, "/").ok());
        let apart = open(&packing, count, |store| Array::open(store, "/").ok());
        drop(plugins);
        let own = open(&packing, count, |store| Array::open(store, "/").ok());
        let arrays = [("optimized", ours), ("codecs apart", apart), ("zarrs", own)];
        let arrays: Vec<_> = arrays
            .into_iter()
            .filter_map(|(name, array)| Some((name, array?)))
            .collect();
        for (_, array) in &arrays {
            write(array, &elements);
        }
        // The first elements as they are read back, which show whether the libraries agree.
        let Some((_, ours)) = arrays.first() else {
            return;
        };
        let mut first = read(ours);
        first.truncate(period.len());
        let contestants: Vec<Contestant<'_>> = arrays
            .iter()
            .map(|(name, array)| match direction {
                Direction::Encode => Contestant::here(name, || write(array, &elements)),
                Direction::Decode => Contestant::here(name, || {
                    std::hint::black_box(read(array));
                }),
            })
            .collect();
        let mut asked = packing.case(verb);
        asked["chunk"] = CHUNK.into();
        let work = Work {
            case: asked,
            period,
            count,
            output: packing.from,
            first,
        };
        self.race(&case, contestants, Some(&work));
    }
}
