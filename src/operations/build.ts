import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { BuildResult } from "../daemon/building/build-result.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { buildText } from "../render/answers/build.ts";
import { symbolsAround } from "./common/symbols-around.ts";
import * as agentLsp from "./compat/agent-lsp-builds.ts";

const How = {
	tool: t.optional.text(
		"npm, vitest, jest, tsc, go, cargo, mypy, pyright, pytest, gradle, maven, dotnet, swift, zig or make",
	),
	language: t.optional.text("Instead of a tool: the first one of this language"),
	timeout: t.optional.positive("Milliseconds until it is ended (default 600000)", { maximum: 3_600_000 }),
};

const At = t.object({ line: t.integer(), character: t.integer() });

export const BuildOutput = t.object({
	tool: t.text(),
	command: t.text("What was run"),
	directory: t.text("Where it ran"),
	outcome: t.oneOf(
		["passed", "failed", "timed_out", "nothing", "unchanged"],
		"What became of it; nothing: no test was run; unchanged: nothing differs, or nothing that recorded tests execute",
	),
	exitCode: t.optional.integer(),
	ms: t.number(),
	failures: t.objects({
		file: t.optional.text(),
		line: t.optional.integer(),
		column: t.optional.integer(),
		symbol: t.optional.text("The declaration around that place, where its server tells it"),
		test: t.optional.text("The test that failed; absent for an error of a compiler"),
		code: t.optional.text(),
		message: t.text(),
		changed: t.optional.objects(
			"Of tests that a change reaches: the changed symbols that reach it; empty for a whole file",
			{ file: t.text(), symbol: t.text() },
		),
		location: t.optional.object("The place as an LSP Location, counted from 0", {
			uri: t.text(),
			range: t.object({ start: At, end: At }),
		}),
	}),
	counts: t.optional.object("Of tests", { passed: t.integer(), failed: t.integer(), skipped: t.integer() }),
	output: t.text("The end of what it printed"),
	omittedBytes: t.integer("What it printed before that"),
	others: t.texts("Other tools that the directory's manifests name"),
	impacted: t.optional.object("Of the tests that a change reaches", {
		changed: t.integer("Files that differ"),
		files: t.optional.integer("Files of tests that were chosen; absent for all"),
		why: t.optional.text("Why all tests were run"),
		unaffected: t.optional.integer("Files of tests left out: what they executed when recorded has not changed"),
	}),
	recorded: t.optional.object("Files of tests, with record", {
		recorded: t.integer(),
		current: t.integer("Recorded before, with nothing changed since"),
		unknown: t.integer("Some tests fail, or what they execute is not known"),
	}),
	ranAll: t.optional.flag("All tests were run: the tool takes no selection"),
});

export type Build = ValueOf<typeof BuildOutput>;

const common = {
	// The repository's commands may do anything.
	effect: "control",
	startsDaemon: true,
	output: BuildOutput,
	exitCode: ({ outcome }: Build) =>
		outcome === "passed" || outcome === "unchanged" ? 0 : outcome === "failed" ? 1 : 3,
} as const;

export const build = defineOperation({
	...common,
	name: "build",
	title: "Build the project",
	description:
		"Runs the project's own build (npm run build, tsc, go, cargo, mypy, pyright, gradle, maven, dotnet, swift, zig, make) as its manifests say, and reads the errors. Only in a trusted repository; all of its processes are ended with it.",
	input: t.object({ path: t.optional.text("The project's directory, or a file of it (default: here)"), ...How }),
	positional: ["path"],
	aliases: [agentLsp.runBuild],
	example: {
		input: {},
		output: {
			tool: "tsc",
			command: "tsc --noEmit --pretty false",
			directory: ".",
			outcome: "failed",
			exitCode: 2,
			ms: 812,
			failures: [
				{
					file: "src/app.ts",
					line: 3,
					column: 7,
					symbol: "main",
					code: "TS2322",
					message: "Type 'string' is not assignable to type 'number'.",
				},
			],
			output: "src/app.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
			omittedBytes: 0,
			others: [],
		},
	},
	run: async ({ path, ...how }, on) =>
		toBuild(await on.builds.run("build", { ...how, paths: path === undefined ? [] : [path] }), on),
	render: (output) => buildText(output),
});

export const test = defineOperation({
	...common,
	name: "test",
	title: "Run the project's tests",
	description:
		"Runs the project's own tests (npm test, vitest, jest, node --test, go, cargo, pytest, gradle, maven, dotnet, swift, zig, make test), all or those of files and directories, and reads the failures. Only in a trusted repository; all of its processes are ended with it.",
	input: t.object({
		paths: t.optional.texts("Only the tests of these files and directories"),
		impacted: t.optional.flag("Only the tests that what differs reaches"),
		base: t.optional.text("With impacted: the git revision before (default HEAD)"),
		record: t.optional.flag("Run each alone and keep what it executes; impacted then runs fewer"),
		...How,
	}),
	positional: ["paths"],
	aliases: [agentLsp.runTests],
	example: {
		input: { paths: ["test/greet.test.ts"] },
		output: {
			tool: "npm",
			command: "npm test -- test/greet.test.ts",
			directory: ".",
			outcome: "failed",
			exitCode: 1,
			ms: 1934,
			failures: [
				{ file: "test/greet.test.ts", line: 5, test: "greet > is polite", message: "expected 'hi' to be 'hello'" },
			],
			counts: { passed: 3, failed: 1, skipped: 0 },
			output: "",
			omittedBytes: 0,
			others: [],
		},
	},
	run: async ({ paths = [], impacted, base, record, ...how }, on) => {
		if (record && (impacted || base !== undefined))
			throw new LspError("LSP_INVALID_INPUT", "test: record runs all tests whose record is old; it takes no impacted.");
		if (record) return toBuild(await on.builds.run("test", { ...how, record: true as const, paths }), on);
		if (impacted && paths.length > 0)
			throw new LspError("LSP_INVALID_INPUT", "test: impacted chooses the files by itself; it takes no paths.");
		const chosen = impacted || base !== undefined ? { impacted: true as const, base } : {};
		return toBuild(await on.builds.run("test", { ...how, ...chosen, paths }), on);
	},
	render: (output) => buildText(output),
});

const maxNamedFiles = 20;
const symbolsMs = 5000;

export async function toBuild({ failures, others, ...rest }: BuildResult, on: OperationContext): Promise<Build> {
	const byFile = new Map<string, BuildResult["failures"][number][]>();
	for (const failure of failures)
		if (failure.file !== undefined) byFile.set(failure.file, [...(byFile.get(failure.file) ?? []), failure]);
	const symbols = new Map<object, string>();
	const named = [...byFile].slice(0, maxNamedFiles).map(async ([file, own]) => {
		const placed = own.flatMap((failure) =>
			failure.line === undefined ? [] : { ...failure, line: failure.line, failure },
		);
		const around = await symbolsAround(file, placed, on, symbolsMs);
		for (const [index, symbol] of around.entries()) {
			const failure = placed[index]?.failure;
			// TypeScript names a callback after its call: `test("adds") callback`.
			if (failure && symbol !== undefined && !/\s/.test(symbol)) symbols.set(failure, symbol);
		}
	});
	await Promise.all(named);
	return {
		...rest,
		failures: failures.map((failure) => {
			const symbol = symbols.get(failure);
			return symbol === undefined ? failure : { ...failure, symbol };
		}),
		others: [...others],
	};
}
