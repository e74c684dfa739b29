import type { Range } from "vscode-languageserver-protocol";
import type { FileQuery } from "../query/file-query.ts";
import { positionAt } from "../util/positions.ts";
import { replaceText } from "./find-text.ts";

export interface GivenText {
	readonly text: string;
	readonly line?: number | undefined;
}

/** The only one, or the first on a line, without blanks around. Throws LSP_EDIT_REFUSED. */
export function rangeOfText(query: FileQuery, { text: wanted, line }: GivenText): Range {
	const text = query.document.text.replace(/\r\n/g, "\n");
	const plain = wanted.replace(/\r\n/g, "\n").trim();
	const lineStart = line === undefined ? 0 : text.split("\n", line - 1).reduce((sum, each) => sum + each.length + 1, 0);
	const onLine = line === undefined || plain === "" ? -1 : text.indexOf(plain, lineStart);
	const isThere = onLine >= 0 && !text.slice(lineStart, onLine).includes("\n");
	const { start, end } = isThere
		? { start: onLine, end: onLine + plain.length }
		: replaceText(text, plain, "", query.displayPath(query.document.path));
	const { encoding } = query.server;
	return { start: positionAt(start, text, encoding), end: positionAt(end, text, encoding) };
}
