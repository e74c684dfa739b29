import { controls } from "./escape.ts";

/**
 * What every face shows goes through here: texts come from servers, from files that anybody wrote and from clients, and may
 * be meant for the terminal (escape sequences) or for the model that reads them (the end of the frame around a result).
 */

/** The frames that hosts and pi-lsp put around what a model reads: no text may end one or begin one. */
const frames = /<(?=\/?(?:diagnostics|(?:tool|function)_\w+|system(?:[-_]\w+)?|antml:\w+)(?:[\s>/]|$))/g;

/** To some readers these end a line. */
const isSeparator = (character: string) => character === "\u2028" || character === "\u2029";

/** A text of any number of lines without control characters: line feeds and tabs stay, CRLF is a line feed. */
export function harmless(text: string): string {
	return text.replace(controls, (found) => (found === "\n" || found === "\t" ? found : isSeparator(found) ? " " : ""));
}

/** The same of every text in some data, keys too, and no text in it is a frame's tag any more: `<\/tool_result>`. */
export function harmlessData<Value>(value: Value): Value {
	if (typeof value === "string") return harmless(value).replace(frames, "<\\") as Value;
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(harmlessData) as Value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [harmlessData(name), harmlessData(each)]),
	) as Value;
}

/** JSON in which every control character is escaped, for programs that want the text as it is. */
export function harmlessJson(json: string): string {
	return json.replace(controls, (found) => {
		if (found === "\n" || found === "\t") return found;
		// A tag is two UTF-16 units, every other control character is one.
		return escaped(found.charCodeAt(0)) + (found.length > 1 ? escaped(found.charCodeAt(1)) : "");
	});
}

function escaped(unit: number): string {
	return `\\u${unit.toString(16).padStart(4, "0")}`;
}
