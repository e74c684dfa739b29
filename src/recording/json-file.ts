import { attempt } from "../util/attempt.ts";
import { anySource, readTextNow } from "../util/read-file.ts";

/** What pi-lsp or one of its recorders has written; undefined if the file is missing, empty or cut. */
export function readJson<T extends object>(file: string): T | undefined {
	return attempt(() => JSON.parse(readTextNow(file, anySource) ?? "") as T);
}
