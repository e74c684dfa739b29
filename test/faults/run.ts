// node scripts/run-ts.mjs test/faults/run.ts [ROW…]: injects the faults of the table, one after another.
// A ROW is an id (C9) or a group (C). Exit code 1 if a row failed; LSPT_FULL=1 tells whole failures.
import process from "node:process";
import { type Outcome, outcomeOf, type Verdict } from "./execute.ts";
import { rows } from "./rows.ts";

const wanted = process.argv.slice(2);
const chosen = rows.filter(({ id }) => wanted.length === 0 || wanted.some((word) => word === id || word === id[0]));
const outcomes: Outcome[] = [];
const began = performance.now();
for (const row of chosen) {
	const outcome = await outcomeOf(row);
	outcomes.push(outcome);
	const detail = process.env.LSPT_FULL === "1" ? outcome.detail : firstLine(outcome.detail);
	const seconds = (outcome.ms / 1000).toFixed(1);
	console.log(`${row.id.padEnd(4)} ${outcome.verdict} (${detail}) · ${row.title} · ${seconds} s`);
}
const count = (verdict: Verdict) => outcomes.filter((outcome) => outcome.verdict === verdict).length;
console.log(
	`faults: ${count("survived")} survived, ${count("failed")} failed, ${count("not yet")} not yet, ` +
		`${count("not injectable here")} not injectable · ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exit(count("failed") > 0 || chosen.length === 0 ? 1 : 0);

function firstLine(text: string): string {
	return (
		text
			.split("\n\n")[0]
			?.replaceAll(/\s*\n\s*/g, " ")
			.slice(0, 600) ?? ""
	);
}
