import type { FileQuery } from "../query/file-query.ts";
import type { Spot } from "../util/positions.ts";
import { type FileOutlines, surroundingsIn } from "./file-outlines.ts";
import { referencesAt } from "./users.ts";

export interface TypeSpot {
	/** Displayed path. */
	readonly path: string;
	readonly name: string;
	readonly at: Spot;
}

export interface TypeUse {
	/** Displayed path. */
	readonly path: string;
	/** Of the type that the file uses. */
	readonly name: string;
}

const maxTypes = 30;
const head = /\b(?:class|interface|extends|implements)\b/;

/** Files that use the types or what extends them; TypeScript 7 names no implementations of a class. */
export async function usersOfTypes(
	asked: FileQuery,
	types: readonly TypeSpot[],
	outlines: FileOutlines,
): Promise<TypeUse[]> {
	const keyOf = ({ path, name }: TypeSpot) => `${path}#${name}`;
	const wanted = new Map(types.map((type) => [keyOf(type), type]));
	const found: TypeUse[] = [];
	let asks = 0;
	// A map's loop also meets what is added meanwhile.
	for (const { path, name, at } of wanted.values()) {
		if (asks++ === maxTypes) break;
		const uses = await asked.inAnyFile(path, (query) => usesOf(query, at, outlines));
		found.push(...uses.files.map((file) => ({ path: file, name })));
		for (const type of uses.extending) if (!wanted.has(keyOf(type))) wanted.set(keyOf(type), type);
	}
	return found;
}

async function usesOf(
	asked: FileQuery,
	at: Spot,
	outlines: FileOutlines,
): Promise<{ readonly files: readonly string[]; readonly extending: readonly TypeSpot[] }> {
	const references = (await referencesAt(asked, at)).filter(({ uri }) => asked.isOwn(uri));
	const { places } = await asked.locations(references);
	const extending: TypeSpot[] = [];
	for (const { path, text = "", test = false, ...spot } of places) {
		if (!head.test(text)) continue;
		const outline = await outlines.of(asked, path);
		const { symbol = "" } = outline ? surroundingsIn(outline, path, spot, test) : {};
		const declared = outline?.declared.get(symbol);
		if (declared && /^(?:class|interface)$/.test(declared.kind))
			extending.push({ path, name: declared.path, at: declared.at });
	}
	return { files: [...new Set(places.map(({ path }) => path))], extending };
}
