// node scripts/run-ts.mjs test/faults/sabotage.ts [ROW…] [PART OF A NAME…]: takes one guard after another out of a scratch
// copy; the row or the test that stands for it must then fail. Prints `sabotage caught N/N`, exit code 1 if one was not caught.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../support/repository.ts";
import { runTests } from "./prove.ts";
import { type Sabotage, sabotages } from "./sabotages.ts";

const wanted = process.argv.slice(2);
const isWanted = ({ row, name }: Sabotage) =>
	wanted.some((word) => word === row || (word.length > 3 && name.includes(word)));
const chosen = sabotages.filter((sabotage) => wanted.length === 0 || isWanted(sabotage));
let caught = 0;
for (const sabotage of chosen) {
	const verdict = await commit(sabotage);
	if (verdict === "caught") caught++;
	console.log(`${sabotage.row.padEnd(4)} ${verdict} · ${sabotage.name}`);
}
console.log(`sabotage caught ${caught}/${chosen.length}`);
process.exit(caught === chosen.length ? 0 : 1);

/**
 * Runs the row or its test on a copy without the guard; "caught" if it failed for the right reason, and not for want
 * of a build.
 */
async function commit({ row, test, file, from, to, also }: Sabotage): Promise<string> {
	const copy = mkdtempSync("/tmp/pl-sabotage-");
	try {
		const archive = ["c", "--exclude=./node_modules", "--exclude=./dist", "--exclude=./.git", "."];
		const tar = execFileSync("tar", archive, { cwd: REPOSITORY, maxBuffer: 1 << 30 });
		execFileSync("tar", ["x"], { cwd: copy, input: tar });
		symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
		const text = readFileSync(join(copy, file), "utf8");
		const steps = [{ from, to }, ...(also ? [also] : [])];
		for (const step of steps)
			if (text.split(step.from).length !== 2) return `not done: the guard is not found once in ${file}`;
		const sabotaged = steps.reduce((done, step) => done.replace(step.from, () => step.to), text);
		writeFileSync(join(copy, file), sabotaged);
		execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: copy, stdio: "pipe" });
		if (test) {
			const { passed, failed, skipped } = await runTests(copy, test);
			return failed.length > 0 ? "caught" : `not caught: ${passed} passed, ${skipped} skipped`;
		}
		const args = ["scripts/run-ts.mjs", "test/faults/run.ts", row];
		const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", timeout: 180_000 });
		const [line = ""] = stdout.split("\n");
		if (line.includes(" failed (")) return "caught";
		return `not caught: ${line.slice(0, 200)}`;
	} catch (error) {
		return `not done: ${(error as Error).message.slice(0, 400)}`;
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}
