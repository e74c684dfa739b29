import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodeAction, Diagnostic, WorkspaceEdit } from "vscode-languageserver-protocol";
import { counted, type Figure, wrongAnswers } from "../figures.ts";
import { Random } from "../truth/random.ts";
import { textsAfter } from "./server-edit.ts";
import { change, type Extent, errorsInText, moreIn, restore, type Stage, withStage } from "./stage.ts";
import type { ChangeSubject } from "./subjects.ts";

/** An error, and the text that is appended to a file to cause it. `known` is exported by another file. */
interface Seed {
	readonly code: number;
	readonly text: (known: string) => string;
}

/** The most common errors. */
const seeds: readonly Seed[] = [
	{ code: 2304, text: (known) => `export const seeded = ${known};` },
	{ code: 2322, text: () => `export const seeded: number = "text";` },
	{ code: 2339, text: () => "export class Seeded {\n\trun() {\n\t\treturn this.missing;\n\t}\n}" },
	{ code: 2345, text: () => "export const seeded = Math.abs(`text`);" },
	{ code: 7006, text: () => "export function seeded(value) {\n\treturn value + 1;\n}" },
	{ code: 2307, text: () => `import * as seeded from "./not-there";\nexport { seeded };` },
	{ code: 2554, text: () => "function one(value: number) {\n\treturn value;\n}\nexport const seeded = one(1, 2);" },
	{
		code: 2741,
		text: () => "interface Seeded {\n\tname: string;\n\tsize: number;\n}\nexport const seeded: Seeded = { name: `a` };",
	},
	{
		code: 2739,
		text: () => "interface Seeded {\n\tname: string;\n\tsize: number;\n}\nexport const seeded: Seeded = {};",
	},
	{ code: 2551, text: () => "export const seeded = `text`.lenght;" },
	{ code: 2552, text: () => "const seededValue = 1;\nexport const seeded = seededVale + seededValue;" },
	{ code: 18048, text: () => "export function seeded(value?: string) {\n\treturn value.length;\n}" },
	{
		code: 2353,
		text: () => "interface Seeded {\n\tname: string;\n}\nexport const seeded: Seeded = { name: `a`, other: 1 };",
	},
	{ code: 7053, text: () => "const held = { a: 1 };\nexport function seeded(name: string) {\n\treturn held[name];\n}" },
	{ code: 2724, text: (known) => `export { ${known}s as seeded } from "FILE";` },
	{ code: 2769, text: () => "export const seeded = [1].concat(`text`);" },
	{
		code: 2420,
		text: () => "interface Runs {\n\trun(): number;\n}\nexport class Seeded implements Runs {}",
	},
	{
		code: 2515,
		text: () => "abstract class Runs {\n\tabstract run(): number;\n}\nexport class Seeded extends Runs {}",
	},
	{ code: 2564, text: () => "export class Seeded {\n\tname: string;\n}" },
	{ code: 1308, text: () => "export function seeded() {\n\tawait Promise.resolve(1);\n}" },
];

/** Each error is seeded in this many files; in some files it has another code. */
const places = 3;
const maxTried = 6;
/** A server that pushes sends nothing where nothing has changed. */
const pushMs = 20_000;

/** Compares the errors of real files that `fix` fixes with those for which the bare server prefers a fix. */
export function fixes(subject: ChangeSubject, { seed, isOver, log }: Extent): Promise<Figure[]> {
	return withStage(subject, async (stage) => {
		log(`${subject.name}: errors and their fixes`);
		const random = new Random(seed);
		const total = { seeded: 0, fixed: 0, preferred: 0, failed: 0, faults: 0, codes: 0 };
		for (const { code, text } of seeds) {
			const own = { seeded: 0, fixed: 0, preferred: 0, titles: new Set<string>() };
			for (const file of random.shuffled(plainFiles(stage, subject)).slice(0, maxTried)) {
				if (own.seeded === places || isOver()) break;
				const known = exportedElsewhere(stage, subject, file);
				const added = text(known.name).replace("FILE", known.module);
				const seeded = `${stage.files[file]}\n${added}\n`;
				const outcome = await tryFix(stage, { file, seeded, code });
				if (!outcome) {
					log(`  ${code} cannot be seeded in ${file}`);
					continue;
				}
				own.seeded++;
				if (outcome.isFixed) own.fixed++;
				if (outcome.preferred) own.preferred++;
				own.titles.add(outcome.title);
				if (outcome.preferred && !outcome.isFixed) {
					if (outcome.isFault) total.faults++;
					else total.failed++;
					log(
						`  ${code} in ${file}: not fixed, ${outcome.isFault ? "nor by the server's own fix" : "though the server's fix does"}: ${outcome.result}`,
					);
				}
			}
			log(
				`  ${code}: ${own.fixed} of ${own.seeded} fixed, ${own.preferred} with a preferred fix: ${[...own.titles].join(" | ").slice(0, 150)}`,
			);
			total.seeded += own.seeded;
			total.fixed += own.fixed;
			total.preferred += own.preferred;
			if (own.fixed > 0) total.codes++;
		}
		const name = subject.name.split(", ")[1];
		return [
			counted(`fixes, ${name}: codes of errors fixed`, total.codes, seeds.length),
			counted(`fixes, ${name}: errors fixed`, total.fixed, total.seeded),
			counted(`fixes, ${name}: errors with a fix that the server prefers`, total.preferred, total.seeded),
			counted(`fixes, ${name}: of them not fixed by the server's own fix either`, total.faults, total.preferred),
			wrongAnswers(`fixes, ${name}: of them not fixed`, total.failed, total.preferred),
		];
	});
}

function plainFiles({ files }: Stage, { isSource }: ChangeSubject): string[] {
	return Object.keys(files).filter((file) => isSource(file) && (files[file] ?? "").split("\n").length > 20);
}

/** A value that another file exports and this one does not name. */
function exportedElsewhere({ files }: Stage, { isSource }: ChangeSubject, file: string) {
	for (const [path, text] of Object.entries(files)) {
		const name = /^export (?:function|const) (\w{5,})/m.exec(text)?.[1];
		if (name === undefined || !isSource(path) || path === file || path.endsWith("index.ts")) continue;
		const isKnown = new RegExp(`\\b${name}\\b`).test(files[file] ?? "");
		const up = `./${file.slice("src/".length).replace(/[^/]/g, "").replace(/\//g, "../")}`;
		if (!isKnown) return { name, module: `${up}${path.slice("src/".length).replace(/\.ts$/, "")}` };
	}
	return { name: "unknownName", module: "missing" };
}

interface Seeded {
	readonly file: string;
	readonly seeded: string;
	readonly code: number;
}

async function tryFix(stage: Stage, { file, seeded, code }: Seeded) {
	const path = join(stage.root, file);
	const textOf = (name: string, own: string) => (name === file ? own : (stage.files[name] ?? ""));
	const errors = async (own: string) => errorsInText((await stage.judge()).errors, (name) => textOf(name, own));
	try {
		writeFileSync(path, seeded);
		const diagnostic = await diagnosticOf(stage, { file, seeded, code });
		if (!diagnostic) return undefined;
		const before = await errors(seeded);
		const preferred = await preferredOf(stage, file, diagnostic);
		const outcome = await change(stage, "fix", { file, line: diagnostic.range.start.line + 1, code: String(code) });
		const isFixed = !("refused" in outcome) && isBetter(before, await errors(diskText(stage, file)));
		const result =
			"refused" in outcome ? outcome.refused.message : `${outcome.exitCode} ${outcome.output.diff.slice(0, 200)}`;
		let isFault = false;
		if (preferred && !isFixed) {
			restore(stage);
			writeFileSync(path, seeded);
			const edit = preferred.edit ?? (await stage.bare.send<CodeAction>("codeAction/resolve", preferred)).edit;
			const texts = textsAfter(stage.bare, { ...stage.files, [file]: seeded }, edit as WorkspaceEdit | undefined);
			for (const [name, text] of Object.entries(texts ?? {})) writeFileSync(join(stage.root, name), text);
			isFault = !isBetter(before, await errors(diskText(stage, file)));
		}
		const titles = "refused" in outcome ? [] : ((outcome.output as { fixes?: string[] }).fixes ?? []);
		return { isFixed, preferred: preferred !== undefined, isFault, result, title: titles[0] ?? "none" };
	} finally {
		restore(stage);
		stage.bare.change(file, stage.files[file] ?? "");
	}
}

/** An error is gone and none was added. */
function isBetter(before: readonly string[], after: readonly string[]): boolean {
	return after.length < before.length && moreIn(after, before).length === 0;
}

function diskText({ root }: Stage, file: string): string {
	return readFileSync(join(root, file), "utf8");
}

/** The error as the bare server returns it when asked, or pushes it. */
async function diagnosticOf({ bare }: Stage, { file, seeded, code }: Seeded): Promise<Diagnostic | undefined> {
	const isMeant = (each: Diagnostic) => Number(each.code) === code;
	if (bare.isPullable) {
		bare.change(file, seeded);
		return (await bare.pull(file)).find(isMeant);
	}
	bare.change(file, seeded);
	// No push comes for an error that the server does not find.
	if (!(await bare.semantic(file)).includes(code)) return undefined;
	// The first push may hold only the syntax errors.
	const end = performance.now() + pushMs;
	for (;;) {
		const found = bare.pushedLast(file).find(isMeant);
		if (found || !(await bare.pushed(file, end - performance.now()))) return found;
	}
}

async function preferredOf({ bare }: Stage, file: string, diagnostic: Diagnostic): Promise<CodeAction | undefined> {
	const context = { diagnostics: [diagnostic], only: ["quickfix"] };
	const { range } = diagnostic;
	const actions = await bare.ask<CodeAction[] | null>("textDocument/codeAction", file, { range, context });
	const preferred = (actions ?? []).filter(({ isPreferred }) => isPreferred);
	return preferred.length === 1 ? preferred[0] : undefined;
}
