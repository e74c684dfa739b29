import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Location } from "vscode-languageserver-protocol";
import { LspError } from "../../src/contract/errors.ts";
import type { ImpactReport } from "../../src/operations/impact.ts";
import { type Extent, restore, type Stage, withStage } from "../changes/stage.ts";
import type { ChangeSubject } from "../changes/subjects.ts";
import { counted, type Figure, wrongAnswers } from "../figures.ts";
import { exactly } from "../statistics.ts";
import type { Errors } from "../truth/errors.ts";
import { Random } from "../truth/random.ts";
import { changedSignature, type Seeded } from "./seed.ts";

/** The most files that may be named, as a multiple of those that references names. */
const mostFiles = 1.5;

/**
 * Functions of a real package get one more parameter. `impact` is asked before; each file that the compiler then finds
 * broken must be the function's own or one that was named. A bare client of the same server is asked for the references.
 */
export function signatures(subject: ChangeSubject, { each, seed, isOver, log }: Extent): Promise<Figure[]> {
	return withStage(subject, async (stage) => {
		const random = new Random(seed);
		const before = (await stage.judge()).errors;
		let [missed, refused, named, broken] = [0, 0, 0, 0];
		const asked: Asked[] = [];
		log(`${subject.name}: ${Object.keys(stage.files).length} files`);
		const seen = new Set<string>();
		for (let tries = 0; asked.length < each && tries < each * 20 && !isOver(); tries++) {
			const seeded = changedSignature(stage.files, subject, random);
			if (!seeded || seen.has(`${seeded.file}:${seeded.line}`)) continue;
			seen.add(`${seeded.file}:${seeded.line}`);
			const note = (what: string) => log(`  ${seeded.file}:${seeded.line} ${seeded.name}: ${what}`);
			const result = await filesOfImpact(stage, seeded);
			if ("refused" in result) {
				refused++;
				note(`refused: ${result.refused.message}`);
				continue;
			}
			writeFileSync(join(stage.root, seeded.file), seeded.text);
			const found = newlyBroken((await stage.judge()).errors, before, seeded.file);
			restore(stage);
			asked.push({ seeded, ...result });
			named += result.files.size;
			broken += found.filter((file) => result.files.has(file)).length;
			const left = found.filter((file) => !result.files.has(file));
			if (left.length === 0) continue;
			missed++;
			note(`not named: ${left.join(", ")}; named: ${[...result.files].join(", ")}`);
		}
		const { name } = subject;
		const done = asked.length;
		const using = asked.reduce((total, each) => total + each.using.size, 0);
		let referring = 0;
		// By now each server has loaded its project.
		for (const { seeded, using: own } of asked) {
			const found = await filesReferring(stage, seeded);
			referring += found.size;
			log(`  ${seeded.file}:${seeded.line} ${seeded.name}: ${own.size} files use it, ${found.size} refer to it`);
		}
		log(`  ${done} signatures, ${named} files named, ${broken} of them broken, ${missed} with a file not named`);
		const precision = named === 0 ? 1 : broken / named;
		return [
			wrongAnswers(`${name}: changed signatures that break a file which impact does not name`, missed, done),
			counted(`${name}: symbols that its server does not list, and impact refuses`, refused, done + refused),
			{
				what: `${name}: files of callers and implementations, against those that references name`,
				unit: "",
				bare: exactly(referring, done),
				ours: exactly(using, done),
				bar: { text: `${mostFiles} ×`, limit: referring * mostFiles },
			},
			{
				what: `${name}: the same with the further files that the change may reach`,
				unit: "",
				bare: exactly(referring, done),
				ours: exactly(named, done),
			},
			counted(`${name}: share of the files named that the compiler finds broken`, precision, named),
		];
	});
}

/** Files other than the function's own that `impact` named. */
interface NamedFiles {
	readonly files: ReadonlySet<string>;
	/** Those that hold a caller or an implementation. */
	readonly using: ReadonlySet<string>;
}

interface Asked extends NamedFiles {
	readonly seeded: Seeded;
}

async function filesOfImpact(
	{ daemon, root }: Stage,
	{ file, line, name }: Seeded,
): Promise<NamedFiles | { readonly refused: LspError }> {
	try {
		const input = { files: [file], symbols: [`${line}:${name}`] };
		const { changed } = await daemon.call<ImpactReport>("impact", { cwd: root, input });
		const others = (all: readonly { readonly file: string }[]) =>
			new Set(all.map((each) => each.file).filter((path) => path !== file));
		const using = changed.flatMap(({ callers, implementers = [] }) => [...callers, ...implementers]);
		return { files: others([...using, ...changed.flatMap(({ reaches }) => reaches)]), using: others(using) };
	} catch (thrown) {
		if (thrown instanceof LspError) return { refused: thrown };
		throw thrown;
	}
}

async function filesReferring({ bare, files }: Stage, { file, ...seeded }: Seeded): Promise<Set<string>> {
	// pyright names no uses of a constructor, only of its class.
	const { line, column } = seeded.name === "__init__" ? classAround(files[file] ?? "", seeded.line) : seeded;
	// Without the declarations TypeScript 7 leaves out the imports as well.
	const params = { position: { line: line - 1, character: column - 1 }, context: { includeDeclaration: true } };
	const found = (await bare.ask<Location[] | null>("textDocument/references", file, params)) ?? [];
	return new Set(found.map(({ uri }) => bare.fileOf(uri)).filter((path) => path !== file && !path.startsWith("..")));
}

/** The name of the class around a line of Python; 1-based. */
function classAround(text: string, line: number): Pick<Seeded, "line" | "column"> {
	const lines = text.split("\n").slice(0, line);
	const index = lines.findLastIndex((each) => /^\s*class /.test(each));
	return { line: index + 1, column: (lines[index] ?? "").indexOf("class ") + "class ".length + 1 };
}

/** The lines of other files do not move. */
function newlyBroken(after: Errors, before: Errors, own: string): string[] {
	const isNew = (file: string, errors: ReadonlySet<string>) => [...errors].some((each) => !before.get(file)?.has(each));
	return [...after].flatMap(([file, errors]) => (file !== own && isNew(file, errors) ? [file] : []));
}
