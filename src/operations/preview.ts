import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { NewText } from "../planning/new-text.ts";
import { judgementText } from "../render/answers/judgement.ts";
import { writtenText } from "../render/answers/written.ts";
import {
	exitCodeOfJudged,
	JudgedOutput,
	Judgement,
	judgedExample,
	judgedOf,
	judging,
	judgingInput,
} from "./common/editing/judged.ts";
import { newTextInput, newTextOf } from "./common/editing/new-text-input.ts";
import { exitCodeOfWritten, isProven, writtenAnswer } from "./common/written.ts";
import * as agentLsp from "./compat/agent-lsp-simulation.ts";

const input = {
	...newTextInput,
	...judgingInput,
};

const Input = t.object(input);

const { new: caused, fixed, mended, netDelta, judged, ...example } = judgedExample;
const counts = { new: caused, fixed, mended, netDelta, judged };

export const preview = defineOperation({
	name: "preview",
	title: "Try an edit without writing it",
	description:
		"What an edit of one or more files would break and mend, in them and in those that use them; nothing is written. It says what a check would say afterwards.",
	effect: "read",
	needsDiagnostics: true,
	input: t.object({
		...input,
		session: t.optional.text("Adds the edit to this session, and judges all edits of it together"),
	}),
	output: JudgedOutput,
	aliases: [agentLsp.preview],
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts", old_text: "greet", new_text: "welcome" },
		output: judgedExample,
	},
	async run({ session, ...edit }, on) {
		if (session === undefined) return (await judge(edit, on)).judged;
		await on.simulations.edit(session, newTextOf(edit));
		return judgedOf(await on.simulations.evaluate(session, judging(edit)));
	},
	render: judgementText,
	exitCode: exitCodeOfJudged,
});

const ApplyOutput = t.object({
	...Written,
	...Judgement,
	refused: t.optional.flag("True if it was not written, since it is not clean"),
});

export const applyIfClean = defineOperation({
	name: "apply_if_clean",
	title: "Write an edit if it breaks nothing",
	description:
		"Tries an edit like `preview`, and writes it only if it is proven to break nothing new; shows what undoes it.",
	effect: "write",
	needsDiagnostics: true,
	input: t.object({
		...input,
		max_new: t.optional.integer("New errors that it may cause (default 0)", { minimum: 0 }),
	}),
	output: ApplyOutput,
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts", old_text: "greet", new_text: "welcome" },
		output: { ...counts, written: [], diff: "", check: example, refused: true },
	},
	async run({ max_new: maxNew = 0, ...edit }, on) {
		const { judged: found, write } = await judge(edit, on);
		const { new: caused, fixed, mended, netDelta, judged, ...check } = found;
		const verdict = { new: caused, fixed, mended, netDelta, judged };
		if (caused > maxNew || !isProven(check)) {
			const { diff } = (await write(true)).planned;
			return { ...verdict, written: [], diff, check, refused: true };
		}
		return { ...verdict, ...writtenAnswer({ ...(await write()), unconfirmed: [], excluded: [] }) };
	},
	render(output) {
		const { refused, check, ...verdict } = output;
		if (refused && check) return judgementText({ ...check, ...verdict });
		return writtenText("written", output);
	},
	exitCode: (output) => (output.refused ? 2 : exitCodeOfWritten(output)),
});

async function judge({ scope, timeout, ...given }: ValueOf<typeof Input>, on: OperationContext) {
	const edit = newTextOf(given);
	const { write, ...found } = await on.edits.preview(edit, { title: titleOf(edit), ...judging({ scope, timeout }) });
	return { judged: judgedOf(found), write };
}

function titleOf({ parts }: NewText): string {
	const [first, ...others] = new Set(parts?.flatMap(({ file }) => file ?? []));
	if (first === undefined) return "patch";
	return others.length === 0 ? `edit ${first}` : `edit ${others.length + 1} files`;
}
