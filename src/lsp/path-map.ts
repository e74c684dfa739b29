import { toPath, toUri } from "../util/positions.ts";

/** Local and remote: `{ "/local": "/remote" }` or `/local:/remote`. */
export type Paths = string | Readonly<Record<string, string>>;

type Pair = readonly [from: string, to: string];

const textFields = new Set([
	"text",
	"newText",
	"insertText",
	"message",
	"value",
	"documentation",
	"detail",
	"label",
	"href",
]);
const pathFields = new Set(["rootPath", "globPattern"]);

export class PathMap {
	readonly #out: readonly Pair[];
	readonly #in: readonly Pair[];

	constructor(paths: Paths) {
		const pairs = pairsOf(paths).map(([local, remote]): Pair => [trimmed(local), trimmed(remote)]);
		const longestFirst = (list: readonly Pair[]) => list.toSorted(([a], [b]) => b.length - a.length);
		this.#out = longestFirst(pairs);
		this.#in = longestFirst(pairs.map(([local, remote]) => [remote, local]));
	}

	out<Value>(value: Value): Value {
		return translated(value, "", this.#out) as Value;
	}

	in<Value>(value: Value): Value {
		return translated(value, "", this.#in) as Value;
	}
}

function pairsOf(paths: Paths): readonly Pair[] {
	if (typeof paths !== "string") return Object.entries(paths);
	const [local, remote] = paths.split(":");
	return local && remote ? [[local, remote]] : [];
}

function trimmed(path: string): string {
	return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

function translated(value: unknown, key: string, pairs: readonly Pair[]): unknown {
	if (typeof value === "string") {
		if (pathFields.has(key)) return moved(value, pairs) ?? value;
		return value.startsWith("file:") && !textFields.has(key) ? translatedUri(value, pairs) : value;
	}
	if (Array.isArray(value)) return value.map((item) => translated(item, key, pairs));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, item]) => [
			// Workspace edits have URIs as field names.
			name.startsWith("file:") ? translatedUri(name, pairs) : name,
			translated(item, name, pairs),
		]),
	);
}

function translatedUri(uri: string, pairs: readonly Pair[]): string {
	const path = toPath(uri);
	const found = path === undefined ? undefined : moved(path, pairs);
	return found === undefined ? uri : toUri(found);
}

function moved(path: string, pairs: readonly Pair[]): string | undefined {
	for (const [from, to] of pairs) if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
	return undefined;
}
