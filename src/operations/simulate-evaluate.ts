import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { judgementText } from "../render/answers/judgement.ts";
import {
	exitCodeOfJudged,
	isJudged,
	JudgedOutput,
	judgedExample,
	judgedOf,
	judging,
	judgingInput,
} from "./common/editing/judged.ts";
import { newTextInput, newTextOf } from "./common/editing/new-text-input.ts";
import { Session, sessionExample } from "./common/editing/session.ts";
import * as agentLsp from "./compat/agent-lsp-simulation.ts";

const about = { effect: "control", startsDaemon: true, needsDiagnostics: true } as const;

const Confidence = t.oneOf(["high", "partial"], "`partial`: not everything was proven in time");

const Evaluation = t.object({ ...JudgedOutput.properties, session: t.text(), confidence: Confidence });

export type Evaluation = ValueOf<typeof Evaluation>;

export const simulateEvaluate = defineOperation({
	...about,
	name: "simulate_evaluate",
	title: "Judge the edits of a session",
	description:
		"What all edits of a session together would break and mend, in their files and in those that use them. It says what a check would say if they were written.",
	input: t.object({ session: Session, ...judgingInput }),
	output: Evaluation,
	aliases: [agentLsp.evaluate],
	positional: ["session"],
	example: {
		input: { session: sessionExample },
		output: { ...judgedExample, session: sessionExample, confidence: "high" },
	},
	async run({ session, ...how }, on) {
		const found = judgedOf(await on.simulations.evaluate(session, judging(how)));
		return { ...found, session, confidence: confidenceIn(found) };
	},
	render: judgementText,
	exitCode: exitCodeOfJudged,
});

const Chain = t.object({
	session: t.text(),
	steps: t.objects("What the session would do after each edit, against the files on disk", {
		...JudgedOutput.properties,
		step: t.integer(),
		confidence: Confidence,
	}),
	safeThroughStep: t.integer("The last step after which it is proven that nothing new is wrong; 0: none"),
	netDelta: t.integer("After the last step"),
});

export type Chain = ValueOf<typeof Chain>;

export const simulateChain = defineOperation({
	...about,
	name: "simulate_chain",
	title: "Add edits to a session, and judge after each",
	description:
		"Adds edits to a session one after the other, judges after each, and says through which step they are safe. If one is impossible, none is added.",
	input: t.object({
		session: Session,
		edits: t.list(Type.Object(newTextInput, { additionalProperties: false }), "In order", {
			minItems: 1,
			maxItems: 50,
		}),
		...judgingInput,
	}),
	output: Chain,
	aliases: [agentLsp.chain],
	positional: ["session"],
	example: {
		input: { session: sessionExample, edits: [{ file: "src/greet.ts", old_text: "greet", new_text: "welcome" }] },
		output: {
			session: sessionExample,
			steps: [{ ...judgedExample, step: 1, confidence: "high" }],
			safeThroughStep: 0,
			netDelta: 1,
		},
	},
	async run({ session, edits, ...how }, on) {
		const found = (await on.simulations.chain(session, edits.map(newTextOf), judging(how))).map(judgedOf);
		const steps = found.map((each, index) => ({ ...each, step: index + 1, confidence: confidenceIn(each) }));
		const safe = steps.findLast((each) => each.new === 0 && isJudged(each));
		return { session, steps, safeThroughStep: safe?.step ?? 0, netDelta: steps.at(-1)?.netDelta ?? 0 };
	},
	render: ({ steps, safeThroughStep: safe }) =>
		[
			...steps.map((each) => `${each.step}. ${judgementText(each)}`),
			safe === 0 ? "No step is proven to break nothing." : `Safe through step ${safe}.`,
		].join("\n"),
	exitCode: ({ steps }) => {
		const last = steps.at(-1);
		return last ? exitCodeOfJudged(last) : 0;
	},
});

function confidenceIn(found: ValueOf<typeof JudgedOutput>): "high" | "partial" {
	return isJudged(found) ? "high" : "partial";
}
