import { type AccessRule, inOrder } from "./access-rules.ts";

const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

/**
 * The last matching rule counts: no network or sockets, nothing started by others, a read-only disk but for the rules.
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
			// Resolving a path below reads its metadata.
			return `(deny file-read-data file-write* ${where})`;
		case "read":
			return `(allow file-read* ${where})\n(deny file-write* ${where})`;
		case "private":
		case "write":
			return `(allow file-read* file-write* ${where})`;
	}
}

function quoted(text: string): string {
	return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
