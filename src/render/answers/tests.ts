import type { FileTests } from "../../operations/tests-for.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

export function listTests(tests: FileTests["tests"], total = tests.length): string {
	if (tests.length === 0) return "No test of this file was found by name or import.";
	const reasons = new Map<string, string[]>();
	for (const { path, reason, cases = [] } of tests) {
		const lines = [oneLine(path), ...cases.map(({ name, line }) => `  ${line}: ${oneLine(name)}`)];
		reasons.set(reason, [...(reasons.get(reason) ?? []), ...lines]);
	}
	const cut = total > tests.length ? [`... and ${total - tests.length} more.`] : [];
	const head = count(total, "test file", "test files");
	return [
		head,
		...[...reasons].flatMap(([reason, paths]) => [`${oneLine(reason)}:`, ...paths.map((path) => `  ${path}`)]),
		...cut,
	].join("\n");
}
