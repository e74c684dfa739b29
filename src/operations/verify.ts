import type { CheckReport } from "../contract/check-report.ts";
import { asLspError, type ErrorValue } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { verifyText } from "../render/answers/verify.ts";
import { type Build, BuildOutput, toBuild } from "./build.ts";

const Finding = t.object({
	file: t.text(),
	line: t.integer(),
	column: t.integer(),
	code: t.optional.text(),
	message: t.text(),
});

const Output = t.object({
	verdict: t.oneOf(["good", "bad", "unproven"], "Whether the work is done"),
	base: t.text("The revision that was compared with"),
	changed: t.texts("Files that differ"),
	checked: t.integer("Files whose errors are proven: those that differ, and others that see it"),
	errors: t.list(Finding, "Errors that were not there before"),
	unproven: t.objects("What is not known", { what: t.text(), reason: t.text() }),
	tests: t.optional(BuildOutput),
	unused: t.objects("New symbols that nothing uses and no other file can name", {
		symbol: t.text(),
		file: t.text(),
		line: t.integer(),
	}),
	unformatted: t.texts("Files that their formatter would change, and not before"),
	notes: t.texts(),
});

export type Verification = ValueOf<typeof Output>;

const defaultMs = 60_000;

export const verify = defineOperation({
	name: "verify",
	title: "Verify what has changed",
	description:
		"One verdict on what differs from a git revision: new errors in the files that differ and in those that see it, the tests that it reaches (in a trusted repository), new symbols that nothing uses, and files that lost their format.",
	effect: "control",
	startsDaemon: true,
	input: t.object({
		base: t.optional.text("The git revision before (default HEAD)"),
		tests: t.optional.oneOf(["impacted", "all", "none"], "Which tests are run", { default: "impacted" }),
		timeout: t.optional.positive("Milliseconds for the errors (default 60000)", { maximum: 3_600_000 }),
	}),
	output: Output,
	example: {
		input: { base: "main" },
		output: {
			verdict: "bad",
			base: "main",
			changed: ["src/greet.ts"],
			checked: 3,
			errors: [{ file: "src/app.ts", line: 3, column: 7, code: "2554", message: "Expected 2 arguments, but got 1." }],
			unproven: [],
			unused: [],
			unformatted: [],
			notes: ["No test reaches what differs."],
		},
	},
	async run({ base, tests: which = "impacted", timeout = defaultMs }, on): Promise<Verification> {
		const scope = { base };
		const found = await on.changes.detect(scope);
		const changed = [...found.files.map(({ path }) => path), ...found.skipped.map(({ path }) => path)];
		const about = { base: base ?? "HEAD", changed };
		const nothing = { errors: [], unproven: [], unused: [], unformatted: [], notes: [] };
		if (changed.length === 0) return { verdict: "good", ...about, checked: 0, ...nothing };
		const impact = await on.changes.impact({ files: [], symbols: [], scope, depth: 1 });
		const there = found.files.filter(({ state, unread }) => state !== "removed" && unread === undefined);
		const users = impact.symbols
			.filter(({ change }) => change === "removed" || change === "moved")
			.flatMap(({ callers, implementers = [] }) => [...callers, ...implementers].map(({ path }) => path));
		const touched = there.map(({ path }) => path);
		const options = { severity: "error", timeout } as const;
		const check = (paths: readonly string[], scope: "file" | "affected") =>
			on.checkSelected({ files: paths, passed: [], isNamed: false }, { ...options, scope, since: base ?? "HEAD" });
		const around = touched.length === 0 ? [] : (await check(touched, "affected")).files.map(({ path }) => path);
		// Earlier errors are known only of files of the change.
		const wanted = [...new Set([...touched, ...around, ...users])];
		const { files } = wanted.length === 0 ? { files: [] } : await check(wanted, "file");
		const { tests, ...testing } = await testsOf(which, base, on);
		const unproven = [...unprovenIn(files), ...testing.unproven];
		const errors = files.flatMap(errorsIn);
		const unused = unusedIn(impact.symbols);
		const unformatted = [...(await on.changes.unformatted(scope))];
		const isBad = errors.length > 0 || unused.length > 0 || unformatted.length > 0 || tests?.outcome === "failed";
		return {
			verdict: isBad ? "bad" : unproven.length > 0 ? "unproven" : "good",
			...about,
			checked: files.filter(({ state }) => state === "fresh").length,
			errors,
			unproven,
			...(tests ? { tests } : {}),
			unused,
			unformatted,
			notes: testing.notes,
		};
	},
	render: (output) => verifyText(output),
	exitCode: ({ verdict }) => (verdict === "good" ? 0 : verdict === "bad" ? 1 : 3),
});

type Files = CheckReport["files"];

function errorsIn({ path, diagnostics }: Files[number]): Verification["errors"] {
	return diagnostics
		.filter(({ severity, new: isNew }) => severity === "error" && isNew !== false)
		.map(({ line, column, code, message }) => ({
			...{ file: path, line, column },
			...(code === undefined ? {} : { code }),
			message,
		}));
}

function unprovenIn(files: Files): { what: string; reason: string }[] {
	return files
		.filter(({ state }) => state !== "fresh" && state !== "unsupported")
		.map(({ path, state, reason }) => ({ what: path, reason: reason ?? state }));
}

type Impacted = Awaited<ReturnType<OperationContext["changes"]["impact"]>>["symbols"];

function unusedIn(symbols: Impacted): Verification["unused"] {
	return symbols
		.filter(
			({ change, exported, callers, implementers = [], tests }) =>
				change === "added" && exported === false && tests.length === 0 && callers.length + implementers.length === 0,
		)
		.map(({ symbol, file, line }) => ({ symbol, file, line }));
}

interface Testing {
	readonly tests?: Build;
	readonly unproven: readonly { what: string; reason: string }[];
	readonly notes: string[];
}

async function testsOf(
	wanted: "impacted" | "all" | "none",
	base: string | undefined,
	on: OperationContext,
): Promise<Testing> {
	if (wanted === "none") return { unproven: [], notes: ["No test was run."] };
	const given = wanted === "all" ? {} : { impacted: true as const, base };
	try {
		const tests = await toBuild(await on.builds.run("test", { paths: [], ...given }), on);
		if (tests.outcome === "nothing") return { unproven: [], notes: ["No test reaches what differs."] };
		const isLate = tests.outcome === "timed_out";
		return { tests, unproven: isLate ? [{ what: "tests", reason: "the time was over" }] : [], notes: [] };
	} catch (thrown) {
		on.signal.throwIfAborted();
		const { code, message }: ErrorValue = asLspError(thrown);
		if (code === "LSP_NO_PROJECT_ROOT") return { unproven: [], notes: [message] };
		return { unproven: [{ what: "tests", reason: message }], notes: [] };
	}
}
