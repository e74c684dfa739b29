import { Type } from "@sinclair/typebox";
import { asLspError, LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { comparisonText } from "../render/answers/comparison.ts";
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

const Compared = t.object({
	candidate: t.integer("Its number, from 1"),
	judgement: t.optional(JudgedOutput),
	error: t.optional.object({ code: t.text(), message: t.text(), details: t.anyObject() }),
});

const Comparison = t.object({
	candidates: t.list(Compared),
	best: t.optional.integer(
		"The proven one that causes the fewest errors, then has the lowest net; absent if none is proven",
	),
});

export const compare = defineOperation({
	name: "compare",
	title: "Compare several edits",
	description:
		"What each of several candidate edits would break and mend, each by itself on the files as they are, and which is best; nothing is written.",
	effect: "read",
	needsDiagnostics: true,
	input: t.object({
		patches: t.optional.list(t.text(undefined, { contentMediaType: "text/plain" }), "Unified diffs, each a candidate", {
			maxItems: 20,
		}),
		candidates: t.optional.list(
			Type.Object(newTextInput, { additionalProperties: false }),
			"More candidates: `file` and its new text or parts, as `preview` takes them",
			{ maxItems: 20 },
		),
		...judgingInput,
	}),
	output: Comparison,
	positional: ["patches"],
	example: {
		input: { patches: ["rename.diff", "alias.diff"] },
		output: {
			candidates: [
				{ candidate: 1, judgement: judgedExample },
				{ candidate: 2, judgement: { ...judgedExample, files: [], new: 0, netDelta: 0 } },
			],
			best: 2,
		},
	},
	async run({ patches = [], candidates = [], ...how }, on) {
		const all = [...patches.map((patch) => ({ patch })), ...candidates];
		if (all.length < 2) throw new LspError("LSP_INVALID_INPUT", "Give two candidates or more.");
		const compared: ValueOf<typeof Compared>[] = [];
		for (const [index, each] of all.entries()) {
			const candidate = index + 1;
			try {
				const options = { title: `candidate ${candidate}`, ...judging(how) };
				const { write: _, ...found } = await on.edits.preview(newTextOf(each), options);
				compared.push({ candidate, judgement: judgedOf(found) });
			} catch (thrown) {
				if (on.signal.aborted) throw thrown;
				compared.push({ candidate, error: asLspError(thrown).toJSON() });
			}
		}
		const best = bestOf(compared);
		return { candidates: compared, ...(best === undefined ? {} : { best }) };
	},
	render: comparisonText,
	exitCode({ candidates, best }) {
		const chosen = candidates.find(({ candidate }) => candidate === best)?.judgement;
		if (chosen) return exitCodeOfJudged(chosen);
		return candidates.every(({ error }) => error) ? 2 : 3;
	},
});

function bestOf(compared: readonly ValueOf<typeof Compared>[]): number | undefined {
	const proven = compared.flatMap(({ candidate, judgement }) =>
		judgement && isJudged(judgement) ? [{ candidate, judgement }] : [],
	);
	proven.sort((a, b) => a.judgement.new - b.judgement.new || a.judgement.netDelta - b.judgement.netDelta);
	return proven[0]?.candidate;
}
