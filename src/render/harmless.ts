import { withEach } from "../contract/with-each.ts";
import { controls } from "./escape.ts";

/** Tags of hosts and pi-lsp: untrusted text must not open or close one. */
const frames = /<(?=\/?(?:diagnostics|(?:tool|function)_\w+|system(?:[-_]\w+)?|antml:\w+)(?:[\s>/]|$))/g;

const isSeparator = (character: string) => character === "\u2028" || character === "\u2029";

/** Without controls and tags: a test is five times faster than replacing nothing. */
const plain = /^[\x20-\x3b\x3d-\x7e]*$/;

export function harmless(text: string): string {
	return text.replace(controls, (found) => (found === "\n" || found === "\t" ? found : isSeparator(found) ? " " : ""));
}

/** All strings and keys but fields named `kept`; breaks frames' tags: `<\/tool_result>`. */
export function harmlessData<Value>(value: Value, kept?: string): Value {
	if (typeof value === "string") return plain.test(value) ? value : (harmless(value).replace(frames, "<\\") as Value);
	if (typeof value !== "object" || value === null) return value;
	return withEach(
		value,
		(each, name) => (name !== undefined && name === kept ? each : harmlessData(each, kept)),
		(name) => harmlessData(name),
	);
}

/** The JSON keeps its value. */
export function harmlessJson(json: string): string {
	return json.replace(controls, (found) => {
		if (found === "\n" || found === "\t") return found;
		// Tag characters have two UTF-16 units.
		return escaped(found.charCodeAt(0)) + (found.length > 1 ? escaped(found.charCodeAt(1)) : "");
	});
}

function escaped(unit: number): string {
	return `\\u${unit.toString(16).padStart(4, "0")}`;
}
