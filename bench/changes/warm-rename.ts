import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import type { Files } from "../../test/support/workspace.ts";
import { compared, type Figure, wrongAnswers } from "../figures.ts";
import { inTurn, spreadOf, timed } from "../statistics.ts";
import { change, type Extent, withStage } from "./stage.ts";
import { typescript7 } from "./subjects.ts";

const users = 19;
const names = ["shared", "common"] as const;
const warmUp = 20;

/** A function that stands in one file and is used in others. */
const files: Files = {
	"src/hub.ts": "export function shared(seed: number): number {\n\treturn seed + 1;\n}\n",
	...Object.fromEntries(
		Array.from({ length: users }, (_, index) => [
			`src/user-${index}.ts`,
			`import { shared } from "./hub";\n\nexport const value${index}: number = shared(${index}) + shared(1);\n`,
		]),
	),
};

/** A rename over 20 files, whole: asked, planned, written, and all files proven before and after; against the server's answer. */
export function warmRename({ each, log }: Extent): Promise<Figure[]> {
	log(`a rename over ${users + 1} files, ${each} times`);
	return withStage(
		typescript7(() => files),
		async (stage) => {
			const ms = { bare: [] as number[], ours: [] as number[], planned: [] as number[] };
			let wrong = 0;
			const position = { line: 0, character: 16 };
			const at = { file: "src/hub.ts", line: 1, column: 17 };
			const asks = {
				async bare(newName: string) {
					const { ms: took, value } = await timed(() =>
						stage.bare.ask<WorkspaceEdit>("textDocument/rename", at.file, { position, newName }),
					);
					if (Object.keys(value.changes ?? value.documentChanges ?? {}).length !== users + 1) wrong++;
					return took;
				},
				async planned(newName: string) {
					return (await timed(() => change(stage, "rename", { ...at, new_name: newName, dry_run: true }))).ms;
				},
				async ours(newName: string) {
					const { ms: took, value } = await timed(() => change(stage, "rename", { ...at, new_name: newName }));
					if ("refused" in value || value.exitCode !== 0 || value.output.written.length !== users + 1) wrong++;
					return took;
				},
			};
			for (let round = -warmUp; round < each; round++)
				for (const who of inTurn(["bare", "planned", "ours"] as const, round + warmUp)) {
					const took = await asks[who](names[(round + warmUp + 1) % 2] ?? "");
					if (round >= 0) ms[who].push(took);
				}
			return [
				compared(`a rename over ${users + 1} files, warm`, ms.bare, ms.ours, { factor: 1.3, plus: 2 * (users + 1) }),
				{ what: "... of it until it is planned", unit: "ms", ours: spreadOf(ms.planned) },
				wrongAnswers("... wrong answers of either", wrong, 2 * (warmUp + each)),
			];
		},
	);
}
