import { Type } from "@sinclair/typebox";
import { type CheckReport as Report, withSeverity } from "../findings.ts";
import { defineOperation } from "../operation.ts";
import { checkText, reportText } from "../text/diagnostics.ts";
import { untrustedText } from "../text/trust.ts";
import { CheckReport, oneOf, severityNames } from "./inputs.ts";

const input = {
	scope: Type.Optional(
		oneOf(["file", "affected"], "`affected` also checks the files that use what changed (default: file)"),
	),
	severity: Type.Optional(oneOf(severityNames, "Tell what matters at least as much as this (default: error)")),
	timeout: Type.Optional(Type.Integer({ minimum: 1, description: "Milliseconds to wait for proof" })),
};

const example: Report = {
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

const shared = { effect: "read", output: CheckReport } as const;

export const diagnostics = defineOperation({
	...shared,
	name: "diagnostics",
	title: "Errors and warnings",
	description:
		"What the compiler says about a file as it is on disk now: errors, warnings, hints. Faster than a build, and it says whether the answer is proven; only `clean` means that there is nothing.",
	core: true,
	input: Type.Object({
		file: Type.String({ description: "Path of the file, relative to the working directory" }),
		...input,
	}),
	positional: ["file"],
	example: { input: { file: "src/app.ts" }, output: example },
	run: async ({ file, scope = "file", severity = "error", timeout }, on) =>
		withSeverity(await on.check([file], { scope, timeout }), severity),
	render: (report) => [reportText(report), untrustedText(report)].filter(Boolean).join("\n"),
});

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
	run: async ({ files, scope = "file", severity, timeout, base }, on) =>
		withSeverity(await on.check(files, { scope, timeout, base }), severity ?? (await on.settings()).severity),
	render: checkText,
	note: untrustedText,
	exitCode({ files }) {
		if (files.some(({ diagnostics: found }) => found.length > 0)) return 1;
		return files.every(({ state }) => state === "fresh") ? 0 : 3;
	},
});
