import process from "node:process";
import type { Figure } from "../figures.ts";
import { commitAll } from "../places.ts";
import { differences, inTurn, spreadOf } from "../statistics.ts";
import { EXTENSION } from "./extension.ts";
import type { LivePi } from "./live-pi.ts";
import type { LargeProject } from "./project.ts";
import { rest, type Stage, withPi, withProject } from "./stage.ts";

/** The most that pi-lsp may add to each call, in milliseconds. */
const maxAddedMs = 30;
/** The most that pi-lsp may add to the end of a turn, in milliseconds. */
const maxLateMs = 2_000;

type Steps = readonly (readonly [what: string, command: string])[];

/** A formatter over all files through the shell, `true`, the old files again, `true`, and the end of the turn. */
export async function bashRow(project: LargeProject, formats: string, rounds: number): Promise<Figure[]> {
	const steps: Steps = [
		["a formatter over all files", formats],
		["`true` after it", "true"],
		["`git checkout .`", "git checkout ."],
		["`true` after that", "true"],
	];
	const takings = () => Array.from({ length: steps.length + 1 }, (): number[] => []);
	const taken = { plain: takings(), equipped: takings() };
	await withGit(project, async (pis, ws) => {
		for (let round = -1; round < rounds; round++)
			for (const side of inTurn(["plain", "equipped"] as const, round + 1)) {
				await rest(ws);
				const took = await oneTurn(pis[side], steps);
				if (round >= 0) for (const [index, ms] of took.entries()) taken[side][index]?.push(ms);
			}
	});
	return [...steps.map(([what]) => what), "the end of the turn"].map((what, index) => {
		const [plain = [], equipped = []] = [taken.plain[index], taken.equipped[index]];
		const limit = index < steps.length ? maxAddedMs : maxLateMs;
		return {
			what: `${project.title}: bash: ${what}, added`,
			unit: "ms",
			ours: spreadOf(differences(plain, equipped)),
			bar: { text: `${limit} ms`, limit },
		};
	});
}

/** The time of each call until the next request, and then of the end of the turn. */
async function oneTurn(pi: LivePi, steps: Steps): Promise<number[]> {
	const took: number[] = [];
	for (const [, command] of steps) {
		const { toolMs, delayMs } = await pi.call({ name: "bash", arguments: { command } });
		took.push(toolMs + delayMs);
	}
	took.push(await pi.endTurn());
	await pi.idle(500);
	return took;
}

/** Two pis in repositories of their own, whose first commits contain the project. */
function withGit(
	project: LargeProject,
	body: (pis: Record<"plain" | "equipped", LivePi>, stage: Pick<Stage, "plainWs" | "equippedWs">) => Promise<void>,
): Promise<void> {
	return withProject(project, (plainWs) =>
		withProject(project, async (equippedWs) => {
			for (const { root } of [plainWs, equippedWs])
				commitAll(root, process.env, ["src", "package.json", "tsconfig.json"]);
			await withPi(plainWs, undefined, (plain) =>
				withPi(equippedWs, EXTENSION, async (equipped) => {
					await warm(project, plain);
					await warm(project, equipped);
					await body({ plain, equipped }, { plainWs, equippedWs });
				}),
			);
		}),
	);
}

/** One edit starts the servers; git reverts it in the first round, which is not measured. */
async function warm({ edits: [first] }: LargeProject, pi: LivePi): Promise<void> {
	if (first === undefined) throw new Error("the project has no edits");
	const { file, oldText, newText } = first.change(9_999);
	await pi.call({ name: "edit", arguments: { path: file, edits: [{ oldText, newText }] } });
	await pi.endTurn();
}
