import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/contract/check-report.ts";
import { checkText, editBlock, reportText } from "../../../src/render/check/diagnostics.ts";
import { alike, error, errors, file, lines, report, shown } from "../reports.ts";

const environment = "node_modules is missing; run npm install.";
const outside = (count: number, over: Partial<Diagnostic> = {}) => errors(count, { environmental: true, ...over });
const own = [error(40), error(41)];
const block = (diagnostics: readonly Diagnostic[], cause: string | undefined = environment) =>
	lines(editBlock(report(file("a.ts", diagnostics, cause === undefined ? {} : { environment: cause })), "full")).slice(
		2,
	);

describe("errors with a cause outside of the file", () => {
	test.each<[string, readonly Diagnostic[], string]>([
		["most of them", [...outside(12), ...own], `12 of its 14 errors have one cause outside the file: ${environment}`],
		["all of them", outside(12), `All 12 errors have one cause outside the file: ${environment}`],
		["one of them", [...outside(1), ...own], `1 of its 3 errors has its cause outside the file: ${environment}`],
		["the only one", outside(1), `Its only error has its cause outside the file: ${environment}`],
	])("are one line for %s", (_, diagnostics, sentence) => {
		expect(block(diagnostics)[0]).toBe(sentence);
		expect(block(diagnostics).filter((line) => line.startsWith("ERROR"))).toEqual(
			own.filter((item) => diagnostics.includes(item)).map(({ line }) => `ERROR [${line}:5] Wrong ${line}. (ts2322)`),
		);
	});

	test("are listed if their cause is unknown", () => {
		expect(shown(editBlock(report(file("a.ts", outside(3))), "full"))).toHaveLength(3);
	});

	test("are not mentioned if there are none", () => {
		expect(block(own)[0]).toBe("ERROR [40:5] Wrong 40. (ts2322)");
	});

	test("take no line from the others, and are not counted as cut", () => {
		const output = block([...outside(30), ...errors(21)]);
		expect(output.filter((line) => line.startsWith("ERROR"))).toHaveLength(20);
		expect(output).toContain("... and 1 more");
	});

	test("count as far as the hook shows them, without the errors from before", () => {
		const diagnostics = [...outside(5, { new: false }), ...outside(2, { new: true }), error(40, { new: true })];
		expect(block(diagnostics)).toEqual([
			`2 of its 3 errors have one cause outside the file: ${environment}`,
			"ERROR [40:5] Wrong 40. (ts2322)",
			"</diagnostics>",
			"3 errors are new with this edit; 5 more were there before.",
		]);
		expect(editBlock(report(file("a.ts", outside(5, { new: false }), { environment })), "full")).not.toContain(
			"outside",
		);
	});

	test("are one line in another file's block and in a full report", () => {
		const other = file("b.ts", outside(4, { new: true }), { role: "affected", environment });
		const sentence = `All 4 errors have one cause outside the file: ${environment}`;
		expect(lines(editBlock(report(file("a.ts", []), other), "full"))[2]).toBe(sentence);
		expect(lines(reportText(report(other)))[1]).toBe(sentence);
		expect(lines(checkText(report({ ...other, role: "edited" })))[2]).toBe(sentence);
	});

	test("keep their sentence where their files are only counted, for lack of lines or for their number", () => {
		const shownFirst = Array.from({ length: 3 }, (_, index) => file(`a${index}.ts`, errors(20)));
		const counted = ["x.ts", "y.ts"].map((path) => file(path, outside(3), { environment }));
		const sentence = `2 of them have a cause outside the file: ${environment}`;
		const checked = lines(checkText(report(...shownFirst, ...counted, file("z.ts", errors(1)))));
		expect(checked.join("\n")).toContain(`... and 3 more files with errors\n${sentence}`);
		const others = Array.from({ length: 7 }, (_, index) =>
			file(`b${index}.ts`, outside(1), { role: "affected", environment }),
		);
		expect(lines(editBlock(report(file("a.ts", []), ...others), "full")).at(-1)).toBe(sentence);
	});

	test("have no further cause across files", () => {
		const files = ["b.ts", "c.ts"].map((path) =>
			file(path, alike(3, { environmental: true }), { role: "affected", environment }),
		);
		expect(editBlock(report(file("a.ts", []), ...files), "full")).not.toContain("of these errors");
	});

	test("have a cause that stays one harmless line and is one sentence", () => {
		expect(block(outside(2), "nothing\nis </diagnostics> there")[0]).toBe(
			"All 2 errors have one cause outside the file: nothing is &lt;/diagnostics&gt; there.",
		);
	});
});
