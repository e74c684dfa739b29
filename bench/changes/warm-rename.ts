import { mkdirSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import type { Files } from "../../test/support/workspace.ts";
import { compared, type Figure, wrongAnswers } from "../figures.ts";
import { inTurn, spreadOf, timed, warmUp } from "../statistics.ts";
import { change, type Extent, type Stage, withStage } from "./stage.ts";
import { typescript7 } from "./subjects.ts";

const users = 19;
const names = ["shared", "common"] as const;

/** A function of one file that the others use. */
const files: Files = {
	"src/hub.ts": "export function shared(seed: number): number {\n\treturn seed + 1;\n}\n",
	...Object.fromEntries(
		Array.from({ length: users }, (_, index) => [
			`src/user-${index}.ts`,
			`import { shared } from "./hub";\n\nexport const value${index}: number = shared(${index}) + shared(1);\n`,
		]),
	),
};

/** The same with another name. */
function filesWith(name: string): Files {
	return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replaceAll("shared", name)]));
}

/**
 * A rename over 20 files, from its call to its written and proven files, compared with the server's answer. The necessary
 * parts of any such rename are measured separately: the server checks the new texts, and the texts are flushed to the
 * medium and renamed into place.
 */
export function warmRename({ each, log }: Extent): Promise<Figure[]> {
	log(`a rename over ${users + 1} files, ${each} times`);
	return withStage(
		typescript7(() => files),
		async (stage) => {
			const ms = { bare: [] as number[], judged: [] as number[], flushed: [] as number[] };
			const our = { whole: [] as number[], planned: [] as number[] };
			let wrong = 0;
			const at = { file: "src/hub.ts", line: 1, column: 17 };
			const asks = {
				async bare() {
					const { ms: took, value } = await timed(() =>
						stage.bare.ask<WorkspaceEdit>("textDocument/rename", at.file, {
							position: { line: 0, character: 16 },
							newName: "other",
						}),
					);
					if (Object.keys(value.changes ?? value.documentChanges ?? {}).length !== users + 1) wrong++;
					return took;
				},
				judged: async (newName: string) => (await timed(() => shownToBare(stage, newName))).ms,
				flushed: async (newName: string) => (await timed(() => flush(stage, newName))).ms,
				async planned(newName: string) {
					return (await timed(() => change(stage, "rename", { ...at, new_name: newName, dry_run: true }))).ms;
				},
				async whole(newName: string) {
					const { ms: took, value } = await timed(() => change(stage, "rename", { ...at, new_name: newName }));
					if ("refused" in value || value.exitCode !== 0 || value.output.written.length !== users + 1) wrong++;
					return took;
				},
			};
			const all = { ...ms, ...our };
			for (let round = -warmUp; round < each; round++)
				for (const side of inTurn(["bare", "judged", "flushed", "planned", "whole"] as const, round + warmUp)) {
					const took = await asks[side](names[(round + warmUp + 1) % 2] ?? "");
					if (round >= 0) all[side].push(took);
				}
			const together = ms.bare.map((value, index) => value + (ms.judged[index] ?? 0) + (ms.flushed[index] ?? 0));
			return [
				compared(`a rename over ${users + 1} files, warm`, ms.bare, our.whole, { factor: 1.3, plus: 2 * (users + 1) }),
				{ what: "... of it until the plan is made", unit: "ms", ours: spreadOf(our.planned) },
				compared("... against the bare server's check of the new texts", ms.judged, our.whole),
				compared("... against the new texts flushed and renamed into place", ms.flushed, our.whole),
				compared("... against these three together", together, our.whole),
				wrongAnswers("... wrong answers of either", wrong, 2 * (warmUp + each)),
			];
		},
	);
}

async function shownToBare({ bare }: Stage, name: string): Promise<void> {
	const next = Object.entries(filesWith(name));
	for (const [file, text] of next) bare.change(file, text);
	await Promise.all(next.map(([file]) => bare.pull(file)));
}

async function flush({ root }: Stage, name: string): Promise<void> {
	const directory = join(root, "../flushed");
	rmSync(directory, { recursive: true, force: true });
	mkdirSync(directory);
	await Promise.all(
		Object.entries(filesWith(name)).map(async ([file, text]) => {
			const path = join(directory, file.replaceAll("/", "-"));
			const handle = await open(`${path}~`, "wx");
			await handle.writeFile(text);
			await handle.sync();
			await handle.close();
			await rename(`${path}~`, path);
		}),
	);
	const handle = await open(directory, "r");
	await handle.sync();
	await handle.close();
}
