import { conformance } from "exactum-vectors";
import { test } from "vitest";
import { right } from "./library.mjs";

conformance(test, right);
