// Checks the types of the packages as TypeScript sees them.
import { load, Rejection, type Judgement } from "exactum-wasm";
import { register } from "exactum-wasm/zarrita";
import { conformance } from "exactum-vectors";
import * as zarr from "zarrita";
import { test } from "vitest";

const exactum = await register(zarr, load());
const judgement: Judgement = exactum.validate("{}");
const packed: Uint8Array = exactum.encode({ name: "packbits", data_type: "bool", shape: [3] }, new Uint8Array(3));
// @ts-expect-error This codec does not exist.
exactum.encode({ name: "gzip", data_type: "bool", shape: [3] }, packed);
const clause: string = new Rejection({ error: "", reason: "", clause: judgement.verdict }).clause;
conformance(test, { operations: [clause], answer: ({ elements }) => elements, offers: ({ source }) => source === "int8" });
