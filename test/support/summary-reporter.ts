import { writeSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** Closes a run with one line that a machine can read, below the names of the tests that were skipped. */
export class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
		let passed = 0;
		// A file that cannot be loaded and an error outside any test have no test of their own that could fail.
		let failed = unhandled.length;
		const skipped: string[] = [];
		for (const module of modules) {
			failed += module.errors().length;
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				if (state === "passed") passed += 1;
				else if (state === "failed") failed += 1;
				else skipped.push(`${relative(process.cwd(), module.moduleId)} > ${test.fullName}`);
			}
		}
		const lines = skipped.map((name) => `skipped: ${name}`);
		lines.push(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
		// Other reporters print their part after this event; a process that ends prints nothing more.
		process.once("exit", () => writeSync(1, `${lines.join("\n")}\n`));
	}
}
