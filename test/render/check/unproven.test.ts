import { describe, expect, test } from "vitest";
import type { FileReport, State } from "../../../src/contract/check-report.ts";
import { stateText, unprovenLine } from "../../../src/render/check/diagnostics.ts";
import { file } from "../reports.ts";

function unproven(state: State, reason: string, path = "src/a.ts"): FileReport {
	return file(path, [], { state, reason });
}

describe("the line about an unproven file", () => {
	test.each<[string, FileReport, string]>([
		[
			"names the server that is still loading",
			unproven("timed_out", "typescript is still loading the project"),
			"src/a.ts was not checked: typescript is still loading the project.",
		],
		[
			"gives the reason why a server is unavailable",
			unproven("unavailable", "gopls not found."),
			"src/a.ts was not checked: gopls not found.",
		],
		[
			"describes the effect of trust, and who gives it",
			unproven("untrusted", "rust-analyzer runs nothing of the repository's without trust, and finds less."),
			"src/a.ts was not proven: rust-analyzer runs nothing of the repository's without trust, and finds less. " +
				"A person can allow it: /lsp trust add.",
		],
		[
			"does not name the file twice",
			unproven("too_large", "src/a.ts has 3000000 bytes, more than 2097152."),
			"src/a.ts was not checked: it has 3000000 bytes, more than 2097152.",
		],
		["does without a reason", { ...file("src/a.ts", []), state: "timed_out" }, "src/a.ts was not checked."],
	])("%s", (_, given, expected) => {
		expect(unprovenLine(given)).toBe(expected);
	});

	test("has no full stop of the reason before its closing bracket, and does not name the file twice", () => {
		const large = unproven("too_large", "src/a.ts has 3000000 bytes, more than 2097152.");
		expect(stateText(large)).toBe("src/a.ts: not checked, it is too large (it has 3000000 bytes, more than 2097152)");
	});

	test("announces later errors if the check continues", () => {
		expect(unprovenLine(unproven("timed_out", "typescript needs more than 3 s"), { later: true })).toBe(
			"Not checked yet: src/a.ts (typescript needs more than 3 s); errors come with a later result.",
		);
		expect(unprovenLine(unproven("unavailable", "gopls not found."), { later: true })).not.toContain("later");
	});

	test("stands for several files of the same cause", () => {
		const given = unproven("unavailable", "gopls not found.", "a.go");
		expect(unprovenLine(given, { alike: 1 })).toBe("a.go and 1 more file were not checked: gopls not found.");
		expect(unprovenLine(given, { alike: 2 })).toBe("a.go and 2 more files were not checked: gopls not found.");
	});

	test("stays one short line whatever the server sends", () => {
		const line = unprovenLine(unproven("unavailable", `it says <b>\nand\u0007 more ${"x".repeat(5000)}`));
		expect(line).toMatch(/^src\/a\.ts was not checked: it says <b> and more x+…\.$/);
		expect(line.length).toBeLessThan(300);
	});
});
