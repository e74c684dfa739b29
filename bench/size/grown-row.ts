import { processesOf, residentMegabytes } from "../../test/support/processes.ts";
import { atMost, type Figure } from "../figures.ts";
import { exactly, spreadOf } from "../statistics.ts";
import { editsOf, figuresOfEdits } from "./edits-row.ts";
import { generated } from "./generated.ts";
import { quietKinds } from "./project.ts";
import { rest, type Stage, withStage } from "./stage.ts";
import { type Made, warmUp } from "./trio.ts";

const sizes = [100, 10_000] as const;
/** How much more may be added in the larger project to an edit that no other file can see, in milliseconds. */
const maxMoreMs = 15;
/**
 * `before`: how much more the daemon used for it without an index of identifiers; `index`: for the index and its graph; in
 * MB.
 */
const megabytes = { before: 78, index: 40 };

/** The same edits in generated projects of 100 and of 10,000 files, and the daemon's memory afterwards. */
export async function grownRow(rounds: number, log: (line: string) => void): Promise<Figure[]> {
	const figures: Figure[] = [];
	const quiet: number[][] = [];
	const memory: number[] = [];
	for (const size of sizes)
		await withStage(generated(size), log, async (stage) => {
			const made = await editsOf(stage, await warmUp(stage), rounds);
			await rest(stage, 5_000);
			figures.push(...figuresOfEdits(stage.project.title, made));
			quiet.push([...made].flatMap(([kind, some]) => (quietKinds.has(kind) ? some.map(own) : [])));
			memory.push(daemonMegabytes(stage));
		});
	const [few = [], many = []] = quiet;
	const [small = 0, large = 0] = memory;
	const base = spreadOf(few);
	const maxMegabytes = megabytes.before + megabytes.index;
	return [
		...figures,
		{
			what: "10,000 generated files against 100: our own part of an edit that no other file can see",
			unit: "ms",
			bare: base,
			ours: spreadOf(many),
			bar: { text: `1 × + ${maxMoreMs}`, limit: base.median + maxMoreMs },
		},
		{ what: "100 generated files: the daemon's memory", unit: "MB", ours: exactly(small) },
		{
			...atMost("10,000 generated files: the daemon's memory, more than that", "MB", large - small, maxMegabytes),
			bar: { text: `${megabytes.before} + ${megabytes.index} MB`, limit: maxMegabytes },
		},
	];
}

/** Without the server's own time, which grows with the project. */
function own({ addedMs, bareMs }: Made): number {
	return addedMs - bareMs;
}

/** Without its servers. */
function daemonMegabytes({ equippedWs }: Stage): number {
	const daemon = processesOf(equippedWs.runId).find(({ argv }) => argv.some((word) => /\/daemon\.\w+$/.test(word)));
	if (daemon === undefined) throw new Error("no daemon runs");
	return residentMegabytes(daemon.pid);
}
