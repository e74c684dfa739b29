import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { writtenText } from "../render/answers/written.ts";
import { Session, sessionExample } from "./common/editing/session.ts";
import { exitCodeOfWritten } from "./common/written.ts";
import * as agentLsp from "./compat/agent-lsp-simulation.ts";

const OneBased = t.positive();

const Committed = t.object({
	...Written,
	session: t.text(),
	changes: t.optional.objects("With `edits`: what differs from the disk, one piece a file", {
		path: t.text(),
		line: OneBased,
		column: OneBased,
		endLine: OneBased,
		endColumn: OneBased,
		newText: t.text(),
	}),
});

export type Committed = ValueOf<typeof Committed>;

export const simulateCommit = defineOperation({
	name: "simulate_commit",
	title: "End a session with a patch, or write it",
	description:
		"The edits of a session as a unified diff; with `apply` they are written, all or none, and it shows new errors and what undoes it. It is refused if a file has changed on disk.",
	effect: "write",
	input: t.object({
		session: Session,
		apply: t.optional.flag("Write it"),
		edits: t.optional.flag("Answer with the pieces that differ as well"),
	}),
	output: Committed,
	aliases: [agentLsp.commit],
	positional: ["session"],
	example: {
		input: { session: sessionExample },
		output: {
			session: sessionExample,
			written: [],
			diff: '--- a/src/greet.ts\n+++ b/src/greet.ts\n@@ -1,1 +1,1 @@\n-const word = "hello";\n+const word = "welcome";\n',
		},
	},
	async run({ session, apply = false, edits = false }, on) {
		const { planned, diff, changes } = await on.simulations.commit(session, apply);
		return { session, written: [], diff, ...(apply ? { planned } : {}), ...(edits ? { changes } : {}) };
	},
	render: (output) => {
		const { written, diff, planned } = output;
		if (written.length > 0 || planned) return writtenText("written", output);
		return diff === "" ? "There is nothing to change." : diff.trimEnd();
	},
	exitCode: exitCodeOfWritten,
});
