import { Type } from "@sinclair/typebox";
import { type CheckReport, CheckReportSchema } from "../contract/check-report.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import type { ValueOf } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { judgementText } from "../render/answers/judgement.ts";
import { writtenText } from "../render/answers/written.ts";
import { newTextInput, newTextOf } from "./common/new-text-input.ts";
import { exitCodeOfWritten, isProven, newErrorsIn, writtenAnswer } from "./common/written.ts";

const input = {
	...newTextInput,
	timeout: Type.Optional(Type.Integer({ minimum: 1, description: "Milliseconds to wait for proof" })),
};

const Input = Type.Object(input);

const Judgement = {
	new: Type.Integer({ description: "Errors that the edit would cause" }),
	fixed: Type.Integer({ description: "Errors that it would mend" }),
	netDelta: Type.Integer({ description: "`new` without `fixed`" }),
	judged: Type.Record(Type.String(), Type.String(), { description: "SHA-256 of each text that was judged, by path" }),
};

const PreviewOutput = Type.Object({ ...CheckReportSchema.properties, ...Judgement });

type Judged = ValueOf<typeof PreviewOutput>;

const example: CheckReport = {
	files: [
		{
			path: "src/app.ts",
			role: "affected",
			state: "fresh",
			diagnostics: [
				{
					line: 1,
					column: 10,
					endLine: 1,
					endColumn: 15,
					severity: "error",
					code: "2305",
					source: "ts",
					message: "Module \"./greet.ts\" has no exported member 'greet'.",
					new: true,
				},
			],
		},
	],
	servers: [{ id: "typescript", version: "7.0.2", root: "/project", strategy: "pull", state: "fresh", ms: 9 }],
	omitted: { diagnostics: 0, files: 0 },
};
const judged = { "src/greet.ts": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9" };

export const preview = defineOperation({
	name: "preview",
	title: "Try an edit without writing it",
	description:
		"What an edit would break and mend, in its files and in those that use them; nothing is written. It says what a check would say afterwards.",
	effect: "read",
	needsDiagnostics: true,
	input: Input,
	output: PreviewOutput,
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts", old_text: "greet", new_text: "welcome" },
		output: { ...example, new: 1, fixed: 0, netDelta: 1, judged },
	},
	run: async (edit, on) => (await judge(edit, on)).judged,
	render: judgementText,
	exitCode: exitCodeOf,
});

const ApplyOutput = Type.Object({
	...Written,
	...Judgement,
	refused: Type.Optional(Type.Boolean({ description: "True if it was not written, since it is not clean" })),
});

export const applyIfClean = defineOperation({
	name: "apply_if_clean",
	title: "Write an edit if it breaks nothing",
	description:
		"Tries an edit like `preview`, and writes it only if it is proven to break nothing new; shows what undoes it.",
	effect: "write",
	needsDiagnostics: true,
	input: Type.Object({
		...input,
		max_new: Type.Optional(Type.Integer({ minimum: 0, description: "New errors that it may cause (default 0)" })),
	}),
	output: ApplyOutput,
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts", old_text: "greet", new_text: "welcome" },
		output: { ...{ new: 1, fixed: 0, netDelta: 1, judged }, written: [], diff: "", check: example, refused: true },
	},
	async run({ max_new: maxNew = 0, ...edit }, on) {
		const { judged: found, write } = await judge(edit, on);
		const { new: caused, fixed, netDelta, judged, ...check } = found;
		const verdict = { new: caused, fixed, netDelta, judged };
		if (caused > maxNew || !isProven(check) || check.omitted.files > 0) {
			const { diff } = write(true).planned;
			return { ...verdict, written: [], diff, check, refused: true };
		}
		return { ...verdict, ...writtenAnswer({ ...write(), unconfirmed: [], excluded: [] }) };
	},
	render(output) {
		const { refused, check, ...verdict } = output;
		if (refused && check) return judgementText({ ...check, ...verdict });
		return writtenText("written", output);
	},
	exitCode: (output) => {
		const { refused, check, ...verdict } = output;
		if (refused && check) return exitCodeOf({ ...check, ...verdict }) || 1;
		return exitCodeOfWritten(output);
	},
});

async function judge({ timeout, ...given }: ValueOf<typeof Input>, on: OperationContext) {
	const { file } = given;
	const title = file === undefined ? "patch" : `edit ${file}`;
	const edit = newTextOf(given);
	const { report, judged: hashes, write } = await on.edits.preview(edit, { title, timeout });
	const caused = newErrorsIn(report).length;
	const fixed = report.files.reduce((sum, file) => sum + (file.fixed ?? 0), 0);
	return { judged: { ...report, new: caused, fixed, netDelta: caused - fixed, judged: hashes }, write };
}

/** 0 proven and nothing new, 1 something new, 3 not proven. Old errors do not count. */
function exitCodeOf(report: Judged): number {
	if (report.new > 0) return 1;
	return isProven(report) && report.omitted.files === 0 ? 0 : 3;
}
