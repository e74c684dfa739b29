import type { Position } from "vscode-languageserver-protocol";
import type { Corpus } from "../corpus.ts";

/** A place in a generated project, with the expected answers. */
export interface KnownPlace {
	readonly file: string;
	/** 1-based. */
	readonly line: number;
	/** 1-based. */
	readonly column: number;
	/** The name at the place. */
	readonly name: string;
	/** `path:line` of the definition. */
	readonly definition: string;
	/** `path:line` of every use, imports included, without the definition; sorted. */
	readonly references: readonly string[];
}

/** The declarations of functions of some modules, spread over a project. */
export function declarationsIn(corpus: Corpus, count: number): KnownPlace[] {
	const modules = modulesOf(corpus);
	const step = Math.floor(modules.length / count);
	return Array.from({ length: count }, (_, index) => {
		const file = modules[index * step] ?? "";
		const name = `make${numberOf(file)}`;
		return placeOf(corpus, file, name, `export function ${name}(`);
	});
}

/** The imports of the same functions in other modules. */
export function importsIn(corpus: Corpus, declared: readonly KnownPlace[]): KnownPlace[] {
	return declared.flatMap(({ name, definition, references }) => {
		const [own] = definition.split(":");
		const file = references.map((reference) => reference.split(":")[0] ?? "").find((path) => path !== own);
		// The last modules have no importers.
		return file === undefined ? [] : [placeOf(corpus, file, name, `, ${name},`)];
	});
}

export function positionOf({ line, column }: KnownPlace): Position {
	return { line: line - 1, character: column - 1 };
}

/** The modules of a project; their names contain numbers. */
function modulesOf({ files }: Corpus): string[] {
	return Object.keys(files).filter((file) => /\/module-\d+\.ts$/.test(file));
}

/** The number in a module's name; the names of its declarations contain it too. */
function numberOf(file: string): number {
	return Number(/-(\d+)\.ts$/.exec(file)?.[1]);
}

function placeOf(corpus: Corpus, file: string, name: string, around: string): KnownPlace {
	const lines = (corpus.files[file] ?? "").split("\n");
	const line = lines.findIndex((text) => text.includes(around));
	const column = (lines[line] ?? "").indexOf(name, (lines[line] ?? "").indexOf(around));
	const definition = linesWith(corpus, new RegExp(`export function ${name}\\(`));
	const uses = linesWith(corpus, new RegExp(`\\b${name}\\b`)).filter((use) => use !== definition[0]);
	return { file, line: line + 1, column: column + 1, name, definition: definition[0] ?? "", references: uses };
}

/** Every line of a project that matches, as `path:line`; a generated name has the same meaning everywhere. */
export function linesWith({ files }: Pick<Corpus, "files">, pattern: RegExp): string[] {
	return Object.entries(files)
		.flatMap(([file, text]) =>
			text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
		)
		.sort();
}
