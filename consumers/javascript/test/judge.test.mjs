import test from "node:test";
import { conformance } from "exactum-vectors";
import { right } from "./library.mjs";

conformance(test, right);
