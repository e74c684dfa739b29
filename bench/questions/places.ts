import type { Position } from "vscode-languageserver-protocol";
import type { Corpus } from "../corpus.ts";

/** A place in a generated project, and what is right about it. */
export interface KnownPlace {
	readonly file: string;
	/** 1-based. */
	readonly line: number;
	/** 1-based. */
	readonly column: number;
	/** What stands there. */
	readonly name: string;
	/** `path:line` of where it is defined. */
	readonly definition: string;
	/** `path:line` of every use, imports included, the definition left out; sorted. */
	readonly references: readonly string[];
}

/** The functions of some modules, spread over a project, where each is declared. */
export function declarationsIn(corpus: Corpus, count: number): KnownPlace[] {
	const modules = modulesOf(corpus);
	const step = Math.floor(modules.length / count);
	return Array.from({ length: count }, (_, index) => {
		const file = modules[index * step] ?? "";
		const name = `make${numberOf(file)}`;
		return placeOf(corpus, file, name, `export function ${name}(`);
	});
}

/** The same functions where another module imports them. */
export function importsIn(corpus: Corpus, declared: readonly KnownPlace[]): KnownPlace[] {
	return declared.flatMap(({ name, definition, references }) => {
		const [own] = definition.split(":");
		const file = references.map((reference) => reference.split(":")[0] ?? "").find((path) => path !== own);
		// The last modules have no importers.
		return file === undefined ? [] : [placeOf(corpus, file, name, `, ${name},`)];
	});
}

/** As a server is asked. */
export function positionOf({ line, column }: KnownPlace): Position {
	return { line: line - 1, character: column - 1 };
}

/** The modules of a project, which are named after their number. */
function modulesOf({ files }: Corpus): string[] {
	return Object.keys(files).filter((file) => /\/module-\d+\.ts$/.test(file));
}

/** The number in a module's name, by which everything that it declares is named. */
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

/** Every line of a project that holds something, as `path:line`: a generated name means the same wherever it stands. */
export function linesWith({ files }: Pick<Corpus, "files">, pattern: RegExp): string[] {
	return Object.entries(files)
		.flatMap(([file, text]) =>
			text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
		)
		.sort();
}
