import { withWorkspace } from "../support/workspace.ts";
import { judgeWorld } from "./oracle.ts";
import type { Row } from "./row.ts";
import { World } from "./world.ts";

export type Verdict = "survived" | "failed" | "not yet" | "not injectable here";

/** What became of one row. */
export interface Outcome {
	readonly row: Row;
	readonly verdict: Verdict;
	readonly told: string;
	readonly ms: number;
}

/** Runs one row in a world of its own, and the common oracle after it; rejects if something does not hold. */
export async function survive(row: Row): Promise<string> {
	const { run } = row;
	if (typeof run === "string") throw new Error(run);
	return withWorkspace({}, async (ws) => {
		const world = new World(ws);
		try {
			const told = await run(world);
			world.cleanUp();
			await judgeWorld(world);
			return told;
		} finally {
			world.cleanUp();
		}
	});
}

/** Runs one row and tells what became of it. */
export async function outcomeOf(row: Row): Promise<Outcome> {
	const began = performance.now();
	const outcome = (verdict: Verdict, told: string): Outcome => ({
		row,
		verdict,
		told,
		ms: Math.round(performance.now() - began),
	});
	if (typeof row.run === "string") {
		const [verdict = "", ...why] = row.run.split(": ");
		return outcome(verdict as Verdict, why.join(": "));
	}
	try {
		return outcome("survived", await survive(row));
	} catch (error) {
		return outcome("failed", (error as Error).message);
	}
}
