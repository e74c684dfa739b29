import { REPOSITORY } from "../support/repository.ts";
import { withWorkspace } from "../support/workspace.ts";
import { judgeWorld } from "./oracle.ts";
import { prove } from "./prove.ts";
import type { NotRun, Row } from "./row.ts";
import { rows } from "./rows.ts";
import { World } from "./world.ts";

export type Verdict = "survived" | "failed" | "not yet" | "not injectable here";

/** The result of one row. */
export interface Outcome {
	readonly row: Row;
	readonly verdict: Verdict;
	readonly detail: string;
	readonly ms: number;
}

/** Runs one row in a world of its own, and the common oracle after it; rejects if something does not hold. */
export async function survive(row: Row): Promise<string> {
	const { run } = row;
	if (typeof run === "string") throw new Error(run);
	if (typeof run === "object") return proven(row);
	return withWorkspace({}, async (ws) => {
		const world = new World(ws);
		try {
			const detail = await run(world);
			world.cleanUp();
			await judgeWorld(world);
			return detail;
		} finally {
			world.cleanUp();
		}
	});
}

/** Runs the tests and the other rows that hold a row. */
async function proven({ id, run }: Row): Promise<string | NotRun> {
	if (typeof run !== "object") throw new Error(`${id} names no proof`);
	const { tests = [], rows: ids = [] } = run;
	const proofs: string[] = [];
	for (const other of rows.filter((row) => ids.includes(row.id))) {
		await survive(other);
		proofs.push(other.id);
	}
	const tested = tests.length > 0 ? await prove(REPOSITORY, tests) : "";
	if (proofs.length === 0 || tested === "") return tested || proofs.join(", ");
	return `${proofs.join(", ")}; ${tested.replace("not injectable here: ", "")}`;
}

/** Runs one row and returns its result. */
export async function outcomeOf(row: Row): Promise<Outcome> {
	const began = performance.now();
	const outcome = (verdict: Verdict, detail: string): Outcome => ({
		row,
		verdict,
		detail,
		ms: Math.round(performance.now() - began),
	});
	const notRun = (text: string) => {
		const [verdict = "", ...why] = text.split(": ");
		return outcome(verdict as Verdict, why.join(": "));
	};
	if (typeof row.run === "string") return notRun(row.run);
	try {
		const detail = await survive(row);
		return detail.startsWith("not injectable here: ") ? notRun(detail) : outcome("survived", detail);
	} catch (error) {
		return outcome("failed", (error as Error).message);
	}
}
