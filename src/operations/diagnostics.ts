import {
	type CheckReport,
	CheckReportSchema,
	countBySeverity,
	type FileReport,
	limitDiagnostics,
	namesAllFiles,
	severities,
	withSeverity,
} from "../contract/check-report.ts";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { SelectedFiles } from "../daemon/checks/select-files.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { checkText, overviewText, reportText } from "../render/check/diagnostics.ts";
import { untrustedText } from "../render/status/trust.ts";
import { symbolsAround } from "./common/symbols-around.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";
import * as sah from "./compat/sah.ts";

const input = {
	scope: t.optional.oneOf(
		["file", "affected"],
		"`affected` also checks the files that use what changed (default: file)",
	),
	severity: t.optional.oneOf(severities, "At least this (default: as configured, else error)"),
	timeout: t.optional.positive("Milliseconds to wait for proof"),
};

const example: CheckReport = {
	files: [
		{
			path: "src/app.ts",
			role: "edited",
			state: "fresh",
			diagnostics: [
				{
					line: 3,
					column: 7,
					endLine: 3,
					endColumn: 12,
					severity: "error",
					code: "2322",
					source: "ts",
					message: "Type 'string' is not assignable to type 'number'.",
				},
			],
		},
	],
	servers: [{ id: "typescript", version: "7.0.2", root: "/project", strategy: "pull", state: "fresh", ms: 4 }],
	omitted: { diagnostics: 0, files: 0 },
};

const shared = { effect: "read", needsDiagnostics: true, checks: true, output: CheckReportSchema } as const;

const scopes = ["file", "affected", "open", "workspace"] as const;
const defaultLimit = 200;
const workspaceMs = 120_000;
const maxFiles = 2000;

const DiagnosticsOutput = t.object({
	...CheckReportSchema.properties,
	summary: t.object({ errors: t.integer(), warnings: t.integer(), info: t.integer(), hints: t.integer() }),
});

export type Diagnostics = ValueOf<typeof DiagnosticsOutput>;

export const diagnostics = defineOperation({
	name: "diagnostics",
	title: "Errors and warnings",
	description:
		"What the compiler says about files as they are on disk now: one file, those that are open in a server, or all of the workspace. Faster than a build, and it says whether the answer is proven; only `clean` means that there is nothing.",
	effect: "read",
	needsDiagnostics: true,
	checks: true,
	core: true,
	input: t.object({
		file: t.optional.text("Its path, or a directory; without it see scope"),
		scope: t.optional.oneOf(
			scopes,
			"affected: also files that use it. open, workspace: many files (default: file, or open without one)",
		),
		severity: input.severity,
		limit: t.optional.positive(`At most this many findings (default ${defaultLimit})`),
		timeout: input.timeout,
		group_by: t.optional.oneOf(["symbol"], "Says of each finding in which declaration it stands"),
	}),
	output: DiagnosticsOutput,
	positional: ["file"],
	aliases: [sah.diagnostics, llxprt.diagnostics, agentLsp.diagnostics],
	example: {
		input: { file: "src/app.ts" },
		output: { ...example, summary: { errors: 1, warnings: 0, info: 0, hints: 0 } },
	},
	async run(
		{ file, scope = file === undefined ? "open" : "file", severity: wanted, limit = defaultLimit, timeout, group_by },
		on,
	) {
		if (file === undefined && (scope === "file" || scope === "affected"))
			throw new LspError("LSP_INVALID_INPUT", `diagnostics: scope ${scope} needs a file.`);
		const { selected, more } = await filesOf(file, scope, on);
		const waitMs = timeout ?? (scope === "workspace" ? workspaceMs : undefined);
		const severity = wanted ?? (await on.settings()).severity;
		const checked = scope === "affected" ? "affected" : "file";
		const report = await on.checkSelected(selected, { scope: checked, timeout: waitMs, severity });
		const summary = countBySeverity(report);
		const { omitted, ...limited } = limitDiagnostics(withSeverity(report, severity), limit);
		const files = group_by === undefined ? limited.files : await withSymbols(limited.files, on);
		return { ...limited, files, omitted: { ...omitted, files: omitted.files + more }, summary };
	},
	render: (report, { scope }) =>
		[
			scope === "open" || scope === "workspace" || report.files.length > 1 ? overviewText(report) : reportText(report),
			untrustedText(report),
		]
			.filter(Boolean)
			.join("\n"),
	exitCode,
});

function withSymbols(files: readonly FileReport[], on: OperationContext): Promise<FileReport[]> {
	return Promise.all(
		files.map(async (file) => {
			const symbols = await symbolsAround(file.path, file.diagnostics, on);
			const named = file.diagnostics.map((diagnostic, index) => {
				const symbol = symbols[index];
				return symbol === undefined ? diagnostic : { ...diagnostic, symbol };
			});
			return { ...file, diagnostics: named };
		}),
	);
}

async function filesOf(
	file: string | undefined,
	scope: (typeof scopes)[number],
	on: OperationContext,
): Promise<{ readonly selected: SelectedFiles; readonly more: number }> {
	if (scope === "workspace") {
		const { workspace } = await on.settings();
		const selected = await on.select({ files: [workspace] });
		const files = selected.files.slice(0, maxFiles);
		return { selected: { ...selected, files, isNamed: false }, more: selected.files.length - files.length };
	}
	if (scope !== "open" && file !== undefined) return { selected: await on.select({ files: [file] }), more: 0 };
	const files = [...new Set((await on.workspace.opened()).map(({ path }) => path))];
	return { selected: { files, passed: [], isNamed: false }, more: 0 };
}

/** Exit codes: 0 is proven clean, 1 findings, 3 not proven. */
function exitCode(report: CheckReport): number {
	const { files, omitted } = report;
	if (omitted.diagnostics > 0 || files.some(({ diagnostics: found }) => found.length > 0)) return 1;
	return namesAllFiles(report) && files.every(({ state }) => state === "fresh") ? 0 : 3;
}

export const check = defineOperation({
	...shared,
	name: "check",
	title: "Check files after a change",
	description:
		"Proves what is wrong in files as they are on disk: those that are named, all below a directory, or what has changed in git. Files that git ignores or no server answers for are passed over.",
	input: t.object({
		files: t.optional.texts("Files, directories and globs"),
		changed: t.optional.flag("What differs from HEAD, or from `base`, and new files"),
		staged: t.optional.flag("What is staged, as it is on disk"),
		index: t.optional.text("With `staged`: the index, where git gives its hook another (GIT_INDEX_FILE)"),
		base: t.optional.text(
			"A git revision: say of each finding whether it is new since then; without files, check what differs from it",
		),
		exclude: t.optional.texts("Patterns as in .gitignore: not these files, unless they are named"),
		allow_nothing: t.optional.flag("No failure where no server answers for any of the files, or none exists"),
		...input,
	}),
	positional: ["files"],
	example: { input: { files: ["src/app.ts"] }, output: example },
	async run({ scope = "file", severity: wanted, timeout, base, ...selection }, on) {
		const severity = wanted ?? (await on.settings()).severity;
		const selected = await on.select({ ...selection, base });
		return withSeverity(await on.checkSelected(selected, { scope, timeout, base, severity }), severity);
	},
	render: checkText,
	note: untrustedText,
	exitCode,
});
