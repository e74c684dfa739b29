import { writeSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** Characters of an error. */
const maxShown = 2000;

/**
 * Closes a run with one line that a machine can read, below the names of the tests that were skipped, and of those that
 * passed at their second try, with what failed at the first: each is a fault of the product or of the test that is rare.
 */
export class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
		let passed = 0;
		// A file that cannot be loaded and an error outside any test have no test of their own that could fail.
		let failed = unhandled.length;
		const skipped: string[] = [];
		const repeated: string[] = [];
		for (const module of modules) {
			failed += module.errors().length;
			for (const test of module.children.allTests()) {
				const { state, errors = [] } = test.result();
				const name = `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`;
				if (state === "passed") passed += 1;
				else if (state === "failed") failed += 1;
				else skipped.push(name);
				if (test.diagnostic()?.flaky)
					repeated.push([name, ...errors.map(({ message }) => `  ${message.slice(0, maxShown)}`)].join("\n"));
			}
		}
		const lines = skipped.map((name) => `skipped: ${name}`);
		lines.push(...repeated.map((name) => `passed at the second try: ${name}`));
		lines.push(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
		// Other reporters print their part after this event; a process that ends prints nothing more.
		process.once("exit", () => writeSync(1, `${lines.join("\n")}\n`));
	}
}
