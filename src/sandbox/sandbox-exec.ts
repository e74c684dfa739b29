import { type AccessRule, inOrder } from "./access-rules.ts";

/** What programs write to that is no file. */
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

/**
 * macOS's sandbox-exec takes a profile in a language of its own, in which the last rule that fits counts: no network, no
 * socket, nothing started in its place by another process, everything read-only but what the rules say.
 */
export function sandboxProfile(rules: readonly AccessRule[]): string {
	return [
		"(version 1)",
		"(allow default)",
		"(deny network*)",
		"(deny appleevent-send)",
		"(deny lsopen)",
		"(deny file-write*)",
		...devices.map((path) => `(allow file-write* (literal ${quoted(path)}))`),
		...inOrder(rules).map(ruleLine),
	].join("\n");
}

function ruleLine({ path, access, isDirectory }: AccessRule): string {
	const where = `(${isDirectory ? "subpath" : "literal"} ${quoted(path)})`;
	switch (access) {
		case "hidden":
			// That it is there may be known: whoever resolves a path below it looks at each directory on the way.
			return `(deny file-read-data file-write* ${where})`;
		case "read":
			return `(allow file-read* ${where})\n(deny file-write* ${where})`;
		case "private":
		case "write":
			return `(allow file-read* file-write* ${where})`;
	}
}

/** A text of the profile's language; a path may hold whatever ends one. */
function quoted(text: string): string {
	return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
