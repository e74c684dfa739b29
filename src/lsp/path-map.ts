import { toPath, toUri } from "../util/positions.ts";

/** Where a directory of ours is for the server: `{ "/local": "/remote" }`, or one pair as `/local:/remote`. */
export type Paths = string | Readonly<Record<string, string>>;

type Pair = readonly [from: string, to: string];

/** Strings in which a URI would be a part of a text: what a person wrote or reads is not changed. */
const texts = new Set([
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
/** Strings that are paths and no URIs. */
const plain = new Set(["rootPath", "globPattern"]);

/**
 * Translates between our paths and those of a server that sees the same files elsewhere (in a container, over a mount):
 * every URI in a message, wherever it stands, as a value or as the name of a field.
 */
export class PathMap {
	readonly #out: readonly Pair[];
	readonly #in: readonly Pair[];

	constructor(paths: Paths) {
		const pairs = pairsOf(paths).map(([local, remote]): Pair => [trimmed(local), trimmed(remote)]);
		const longestFirst = (list: readonly Pair[]) => list.toSorted(([a], [b]) => b.length - a.length);
		this.#out = longestFirst(pairs);
		this.#in = longestFirst(pairs.map(([local, remote]) => [remote, local]));
	}

	/** What is sent to the server. */
	out<Value>(value: Value): Value {
		return translated(value, "", this.#out) as Value;
	}

	/** What comes from the server. */
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
		if (plain.has(key)) return moved(value, pairs) ?? value;
		return value.startsWith("file:") && !texts.has(key) ? translatedUri(value, pairs) : value;
	}
	if (Array.isArray(value)) return value.map((item) => translated(item, key, pairs));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, item]) => [
			// The changes of a workspace edit stand under their documents.
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
