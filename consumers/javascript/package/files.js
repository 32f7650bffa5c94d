// The files of the vectors: those in the folder EXACTUM_VECTORS, or otherwise those in this package.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const ROOT = process.env.EXACTUM_VECTORS ? pathToFileURL(`${process.env.EXACTUM_VECTORS}/`) : new URL("./vectors/", import.meta.url);

/** Parses a file of the vectors. */
export const read = (path) => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));
