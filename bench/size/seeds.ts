import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../truth/random.ts";
import type { Change } from "./project.ts";

/** An edit of a hub file, drawn with a seed. */
export interface Seed {
	readonly what: "renamed" | "hidden" | "signature changed";
	/** The name that other files use. */
	readonly symbol: string;
	readonly change: Change;
}

/** How the declarations of a language are found and broken; each edit keeps the number of lines. */
export interface SeedRules {
	/** An import; the first group is compared with `names`. */
	readonly imported: RegExp;
	/** The names of a file in imports. */
	readonly names: (path: string) => readonly string[];
	/** A whole line that declares something for other files; the group `name` is its name there. */
	readonly declared: RegExp;
	/** The changed line for each kind of edit; undefined where that is impossible. */
	readonly broken: (line: string, name: string, n: number) => Partial<Record<Seed["what"], string | undefined>>;
}

/** How many of the most imported files are edited. */
const hubs = 20;

/** All edits that the rules allow in the hub files of a project, in an order that the seed decides. */
export function seedsOf(root: string, isSource: (path: string) => boolean, rules: SeedRules, seed: number): Seed[] {
	const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(isSource).sort();
	const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
	const random = new Random(seed);
	const ofFiles = random
		.shuffled(hubsOf(texts, rules))
		.map((file) => random.shuffled(editsOf(file, texts.get(file) ?? "", rules)));
	// One of each file in turn, so that a file with a thousand declarations counts as one of twenty.
	const longest = Math.max(...ofFiles.map(({ length }) => length));
	return Array.from({ length: longest }, (_, place) => ofFiles.flatMap((edits) => edits[place] ?? [])).flat();
}

function hubsOf(texts: ReadonlyMap<string, string>, { imported, names }: SeedRules): string[] {
	const importers = new Map<string, number>();
	for (const text of texts.values())
		for (const name of new Set([...text.matchAll(imported)].map((match) => match[1] ?? "")))
			importers.set(name, (importers.get(name) ?? 0) + 1);
	const count = (file: string) => names(file).reduce((sum, name) => sum + (importers.get(name) ?? 0), 0);
	return [...texts.keys()].sort((a, b) => count(b) - count(a)).slice(0, hubs);
}

function editsOf(file: string, text: string, { declared, broken }: SeedRules): Seed[] {
	const seeds: Seed[] = [];
	for (const match of text.matchAll(declared)) {
		const [line] = match;
		const { name = "" } = match.groups ?? {};
		// pi's edit tool needs a text that occurs once.
		if (text.indexOf(line) !== text.lastIndexOf(line)) continue;
		for (const [what, newText] of Object.entries(broken(line, name, seeds.length)))
			if (newText !== undefined && newText !== line)
				seeds.push({ what: what as Seed["what"], symbol: name, change: { file, oldText: line, newText } });
	}
	return seeds;
}

function renamed(line: string, name: string, n: number): string {
	return line.replace(new RegExp(`\\b${name}\\b`), `${name}Other${n}`);
}

/** For relative imports. */
export const typescriptRules: SeedRules = {
	imported: /from "(?:\.{1,2}\/)+([^"]+)"/g,
	names: (path) => {
		const name = path.replace(/^src\//, "").replace(/\.ts$/, ".js");
		return [...new Set([name, name.replace(/^internal\//, "")])];
	},
	declared: /^export (?:const|function|class|interface|type) (?<name>\w+)\b.*$/gm,
	broken: (line, name, n) => ({
		renamed: renamed(line, name, n),
		hidden: line.replace(/^export /, ""),
		"signature changed": /^export (?:const \w+: (?:<[^()]*>)?\(|function \w+(?:<[^()]*>)?\()\w/.test(line)
			? line.replace("(", `(added${n}: { readonly added: ${n} }, `)
			: undefined,
	}),
};

/** For absolute imports. */
export const pythonRules: SeedRules = {
	imported: /^from ([\w.]+) import /gm,
	names: (path) => [
		path
			.replace(/\.py$/, "")
			.replace(/\/__init__$/, "")
			.replaceAll("/", "."),
	],
	declared: /^(?:def|class) (?<name>[A-Za-z]\w*)\b.*$/gm,
	broken: (line, name, n) => ({
		renamed: renamed(line, name, n),
		"signature changed": /^def \w+\([\w)]/.test(line)
			? line.replace(/\((?=(\)?))/, (_, closing: string) => `(added_${n}${closing === ")" ? "" : ", "}`)
			: undefined,
	}),
};

/** Imports name directories. */
export const goRules: SeedRules = {
	imported: /"golang\.org\/x\/tools\/([\w./-]+)"/g,
	names: (path) => (path.endsWith("_test.go") ? [] : [path.slice(0, path.lastIndexOf("/"))]),
	declared: /^(?:func (?:\(\w+ \*?\w+\) )?|type )(?<name>[A-Z]\w*)\b.*$/gm,
	broken: (line, name, n) => ({
		renamed: renamed(line, name, n),
		"signature changed": line.startsWith("func ")
			? line.replace(`${name}(`, `${name}(added${n} struct{}${line.includes(`${name}()`) ? "" : ", "}`)
			: undefined,
	}),
};

/** Includes name headers by their last path segment. */
export const cRules: SeedRules = {
	imported: /^#include "([\w./-]+)"/gm,
	names: (path) => (path.endsWith(".h") ? [path.slice(path.lastIndexOf("/") + 1)] : []),
	declared: /^(?!typedef|static|#)\w[\w ]*?\*{0,2} ?\*{0,2}(?<name>\w+)\([^()]+\);$/gm,
	broken: (line, name, n) => ({
		renamed: renamed(line, name, n),
		"signature changed": line.includes("(void)")
			? line.replace("(void)", `(int added${n})`)
			: line.replace("(", `(int added${n}, `),
	}),
};

/** Files are ranked by how often their last path segment occurs in a path. */
export const rustRules: SeedRules = {
	imported: /\b([a-z]\w+)::/g,
	names: (path) => {
		const parts = path
			.replace(/\.rs$/, "")
			.replace(/\/mod$/, "")
			.split("/");
		return [parts.at(-1) ?? ""];
	},
	declared: /^(?: {4})?pub (?:const )?fn (?<name>\w+)\b.*$/gm,
	broken: (line, name, n) => ({
		renamed: line.replace(`fn ${name}`, `fn ${name}_other_${n}`),
		"signature changed": /\((?:&(?:mut )?)?self/.test(line)
			? line.replace(/\((&?(?:mut )?self)/, `($1, _added_${n}: u8`)
			: line.includes(`${name}(`)
				? line.replace(`${name}(`, `${name}(_added_${n}: u8, `)
				: undefined,
	}),
};
