import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileReport } from "../src/contract/check-report.ts";
import { isThere } from "../test/live/languages.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { checkFile, withDaemon } from "./daemon.ts";
import { type Benchmark, type Figure, wrongAnswers } from "./figures.ts";
import { goProject, type Project, pythonProject, typescript5Project, typescript7Project } from "./languages.ts";

const edits = 100;
const projects: readonly Project[] = [typescript7Project, typescript5Project, pythonProject, goProject];

/** Each of 100 edits of one file adds or fixes an error; each answer has to be about this edit's own error. */
export const alternate: Benchmark = {
	name: "alternate",
	run: async (log) => {
		const figures: Figure[] = [];
		for (const project of projects) {
			if (project.program === undefined || isThere(project.program)) figures.push(...(await countFaults(project)));
			else log(`${project.language} is not installed and was left out`);
		}
		return figures;
	},
};

type Fault = "stale" | "missed" | "false all-clear";

/** The fault of an answer about the n-th text, if any. */
function faultOf(own: FileReport | undefined, n: number, wrong: boolean): Fault | undefined {
	const errors = own?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
	const names = errors.map(({ message }) => /missing\d+/.exec(message)?.[0]);
	if (names.some((name) => name !== undefined && (!wrong || name !== `missing${n}`))) return "stale";
	if (wrong ? names.includes(`missing${n}`) : own?.state === "fresh" && errors.length === 0) return undefined;
	return wrong && own?.state === "fresh" && errors.length === 0 ? "false all-clear" : "missed";
}

function countFaults({ language, files, file, text }: Project): Promise<Figure[]> {
	return withWorkspace(files, (ws) =>
		withDaemon(ws, async (daemon) => {
			const faults: Fault[] = [];
			for (let n = 1; n <= edits; n++) {
				const wrong = n % 2 === 1;
				writeFileSync(join(ws.root, file), text(n, wrong));
				const { files: reports } = await checkFile(daemon, ws.root, file);
				const fault = faultOf(reports[0], n, wrong);
				if (fault) faults.push(fault);
			}
			return (["stale", "missed", "false all-clear"] as const).map((kind) =>
				wrongAnswers(`${language}: ${kind}`, faults.filter((fault) => fault === kind).length, edits),
			);
		}),
	);
}
