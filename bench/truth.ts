import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { connectDaemon } from "../src/daemon/lifecycle/connect.ts";
import { withServers } from "../test/live/languages.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { type Benchmark, counted, type Figure } from "./figures.ts";
import { withOthers } from "./report.ts";
import { Project } from "./truth/project.ts";
import { Random } from "./truth/random.ts";
import { runSession } from "./truth/session.ts";
import type { Subject } from "./truth/subject.ts";
import { subjects } from "./truth/subjects.ts";
import type { Tally } from "./truth/tally.ts";

/**
 * Seeded edits, each announced to pi-lsp as by pi, and judged by the compiler (oracle.md). A difference is logged with the
 * edit that led to it. `PI_LSP_TRUTH_SEED`, `PI_LSP_TRUTH_EDITS` and `PI_LSP_TRUTH_ONLY` (a part of a subject's name)
 * choose another run.
 */
export const truth: Benchmark = {
	name: "truth",
	run: async (log) => {
		const { PI_LSP_TRUTH_SEED: seedText = "7", PI_LSP_TRUTH_EDITS: editsText, PI_LSP_TRUTH_ONLY: only } = process.env;
		const seed = Number(seedText);
		const figures: Figure[] = [];
		log(`seed ${seed}`);
		for (const subject of subjects(seed)) {
			if (only !== undefined && !subject.name.includes(only)) continue;
			const edits = Number(editsText ?? subject.edits);
			log(`${subject.name}: ${Object.keys(subject.files).length} files, ${edits} edits`);
			const tally = await judge(subject, seed, edits, (line) => log(`  ${line}`));
			for (const [kind, times] of tally.kinds) log(`  ${kind}: ${times}, wrong: ${tally.wrongKinds.get(kind) ?? 0}`);
			log(`  questions in between: ${tally.questions}`);
			log(`  left out: ${tally.withoutFile} errors without a file, ${tally.outside} errors outside of the project`);
			figures.push(...figuresOf(subject.name, tally));
		}
		return only === undefined ? figures : withOthers("truth", figures, subjectOf);
	},
};

function subjectOf({ what }: Figure): string {
	return what.slice(0, what.indexOf(":"));
}

/** Makes the edits of one subject; resolves with the counts of the comparisons. */
export function judge(subject: Subject, seed: number, edits: number, log: (line: string) => void): Promise<Tally> {
	return withWorkspace(subject.files, async (ws) => {
		subject.prepare?.(ws.root);
		const env = withPrograms(withServers(ws.env), join(ws.base, "programs"), subject.programs ?? {});
		const own = { ...subject.env, PATH: env.PATH };
		const names = Object.keys(own);
		const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
		// The daemon asks its caller for the environment of a server that it starts, and the caller is this process.
		Object.assign(process.env, own);
		try {
			return await runSession(subject, new Project(ws.root, subject.files), {
				edits,
				random: new Random(seed),
				connect: () => connectDaemon(env),
				oracle: subject.oracle(ws.root),
				...(subject.judge ? { judge: subject.judge(ws.root) } : {}),
				log,
			});
		} finally {
			for (const [name, value] of Object.entries(before)) {
				if (value === undefined) delete process.env[name];
				else process.env[name] = value;
			}
		}
	});
}

function withPrograms(env: Record<string, string>, directory: string, programs: Readonly<Record<string, string>>) {
	mkdirSync(directory);
	for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(directory, name));
	return { ...env, PATH: `${directory}:${env.PATH}` };
}

function figuresOf(name: string, tally: Tally): Figure[] {
	const count = (what: string, value: number, n: number, bar?: Figure["bar"]) =>
		counted(`${name}: ${what}`, value, n, bar);
	const zero = { text: "0", limit: 0 };
	const share = { text: "1 % of the compiler's", limit: Math.floor(tally.compilerErrors / 100) };
	return [
		count("edited file, wrong answers", tally.editedWrong, tally.editedAnswers, zero),
		count("all files, invented errors", tally.invented, tally.checkpoints, zero),
		count("all files, errors missed", tally.missing, tally.compilerErrors, share),
		count("every file asked, wrong answers", tally.askedWrong, tally.askedFiles, zero),
		count("answers that prove nothing", tally.unproven + tally.omitted, tally.editedAnswers, zero),
		count("errors left out of the comparison", tally.withoutFile + tally.outside, tally.checkpoints),
	];
}
