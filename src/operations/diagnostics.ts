import { Type } from "@sinclair/typebox";
import {
	type CheckReport,
	CheckReportSchema,
	countBySeverity,
	limitDiagnostics,
	severities,
	withSeverity,
} from "../contract/check-report.ts";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { oneOf, type ValueOf } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { checkText, overviewText, reportText } from "../render/check/diagnostics.ts";
import { untrustedText } from "../render/status/trust.ts";
import * as agentLsp from "./compat/agent-lsp.ts";
import * as llxprt from "./compat/llxprt.ts";
import * as sah from "./compat/sah.ts";

const input = {
	scope: Type.Optional(
		oneOf(["file", "affected"], "`affected` also checks the files that use what changed (default: file)"),
	),
	severity: Type.Optional(oneOf(severities, "At least this (default: as configured, else error)")),
	timeout: Type.Optional(Type.Integer({ minimum: 1, description: "Milliseconds to wait for proof" })),
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

const shared = { effect: "read", needsDiagnostics: true, output: CheckReportSchema } as const;

const scopes = ["file", "affected", "open", "workspace"] as const;
const defaultLimit = 200;
const workspaceMs = 120_000;

const DiagnosticsOutput = Type.Object({
	...CheckReportSchema.properties,
	summary: Type.Object({
		errors: Type.Integer(),
		warnings: Type.Integer(),
		info: Type.Integer(),
		hints: Type.Integer(),
	}),
});

export type Diagnostics = ValueOf<typeof DiagnosticsOutput>;

export const diagnostics = defineOperation({
	name: "diagnostics",
	title: "Errors and warnings",
	description:
		"What the compiler says about files as they are on disk now: one file, those that are open in a server, or all of the workspace. Faster than a build, and it says whether the answer is proven; only `clean` means that there is nothing.",
	effect: "read",
	needsDiagnostics: true,
	core: true,
	input: Type.Object({
		file: Type.Optional(Type.String({ description: "Its path; without it see scope" })),
		scope: Type.Optional(
			oneOf(
				scopes,
				"affected: also files that use it. open, workspace: many files (default: file, or open without one)",
			),
		),
		severity: input.severity,
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many findings (default ${defaultLimit})` }),
		),
		timeout: input.timeout,
	}),
	output: DiagnosticsOutput,
	positional: ["file"],
	aliases: [sah.diagnostics, llxprt.diagnostics, agentLsp.diagnostics],
	example: {
		input: { file: "src/app.ts" },
		output: { ...example, summary: { errors: 1, warnings: 0, info: 0, hints: 0 } },
	},
	async run(
		{ file, scope = file === undefined ? "open" : "file", severity: wanted, limit = defaultLimit, timeout },
		on,
	) {
		if (file === undefined && (scope === "file" || scope === "affected"))
			throw new LspError("LSP_INVALID_INPUT", `diagnostics: scope ${scope} needs a file.`);
		const { files, more } = await filesOf(file, scope, on);
		const waitMs = timeout ?? (scope === "workspace" ? workspaceMs : undefined);
		const severity = wanted ?? (await on.settings()).severity;
		const checked = scope === "affected" ? "affected" : "file";
		const report = await on.check(files, { scope: checked, timeout: waitMs, severity });
		const summary = countBySeverity(report);
		const { omitted, ...limited } = limitDiagnostics(withSeverity(report, severity), limit);
		return { ...limited, omitted: { ...omitted, files: omitted.files + more }, summary };
	},
	render: (report, { scope }) =>
		[
			scope === "open" || scope === "workspace" || report.files.length > 1 ? overviewText(report) : reportText(report),
			untrustedText(report),
		]
			.filter(Boolean)
			.join("\n"),
});

/** The files of a scope, and how many are left out. */
async function filesOf(file: string | undefined, scope: (typeof scopes)[number], on: OperationContext) {
	if (file !== undefined && scope !== "open" && scope !== "workspace") return { files: [file], more: 0 };
	if (scope === "workspace") return on.workspace.sources();
	const opened = await on.workspace.opened();
	return { files: [...new Set(opened.map(({ path }) => path))], more: 0 };
}

export const check = defineOperation({
	...shared,
	name: "check",
	title: "Check files after a change",
	description:
		"Proves what is wrong in files as they are on disk. Exits with 0 if they are proven clean, 1 with findings, 3 if something could not be proven.",
	input: Type.Object({
		files: Type.Array(Type.String(), { minItems: 1, description: "Paths of files, relative to the working directory" }),
		...input,
		base: Type.Optional(
			Type.String({ description: "A git revision: say of each finding whether it is new since then" }),
		),
	}),
	positional: ["files"],
	example: { input: { files: ["src/app.ts"] }, output: example },
	async run({ files, scope = "file", severity: wanted, timeout, base }, on) {
		const severity = wanted ?? (await on.settings()).severity;
		return withSeverity(await on.check(files, { scope, timeout, base, severity }), severity);
	},
	render: checkText,
	note: untrustedText,
	exitCode({ files }) {
		if (files.some(({ diagnostics: found }) => found.length > 0)) return 1;
		return files.every(({ state }) => state === "fresh") ? 0 : 3;
	},
});
