import { defineOperation } from "../contract/operation.ts";
import { t } from "../contract/schema.ts";
import { oneLine } from "../render/escape.ts";
import { newTextInput, newTextOf } from "./common/editing/new-text-input.ts";
import { Session, sessionExample } from "./common/editing/session.ts";
import * as agentLsp from "./compat/agent-lsp-simulation.ts";

const about = { effect: "control", startsDaemon: true } as const;

export const simulateBegin = defineOperation({
	...about,
	name: "simulate_begin",
	title: "Begin a simulation session",
	description:
		"Begins a session: edits that add up, and are judged together, while nothing is written. It is kept for 24 hours after its last use.",
	input: t.object({ directory: t.optional.text("Inside the workspace (default: the working directory)") }),
	output: t.object({
		session: t.text(),
		workspace: t.text("The directory whose files it may edit"),
		ended: t.optional.text("The session that ended for it: there were too many"),
	}),
	aliases: [agentLsp.create],
	positional: ["directory"],
	example: { input: {}, output: { session: sessionExample, workspace: "/project" } },
	run: ({ directory }, on) => on.simulations.begin(directory),
	render: ({ session, workspace, ended }) =>
		[
			`session ${session} in ${oneLine(workspace)}`,
			...(ended === undefined
				? []
				: [`Session ${ended} has ended for it: it was the one that was idle for the longest.`]),
		].join("\n"),
});

export const simulateEdit = defineOperation({
	...about,
	name: "simulate_edit",
	title: "Add an edit to a session",
	description: "Adds an edit to a session, on top of its other edits; nothing is written and nothing is judged yet.",
	input: t.object({ session: Session, ...newTextInput }),
	output: t.object({
		session: t.text(),
		edits: t.integer("How many edits the session has"),
		files: t.texts("The files that differ from the disk"),
	}),
	aliases: [agentLsp.edit],
	positional: ["session", "file"],
	example: {
		input: { session: sessionExample, file: "src/greet.ts", old_text: "greet", new_text: "welcome" },
		output: { session: sessionExample, edits: 1, files: ["src/greet.ts"] },
	},
	async run({ session, ...edit }, on) {
		return { session, ...(await on.simulations.edit(session, newTextOf(edit))) };
	},
	render: ({ edits, files }) =>
		`Edit ${edits}. ${files.length === 0 ? "Nothing differs from the disk." : `Differing from the disk: ${files.map(oneLine).join(", ")}`}`,
});

export const simulateDiscard = defineOperation({
	...about,
	name: "simulate_discard",
	title: "Drop the edits of a session",
	description: "Drops all edits of a session; the session stays.",
	input: t.object({ session: Session }),
	output: t.object({ session: t.text(), state: t.text() }),
	aliases: [agentLsp.discard],
	positional: ["session"],
	example: { input: { session: sessionExample }, output: { session: sessionExample, state: "discarded" } },
	async run({ session }, on) {
		await on.simulations.discard(session);
		return { session, state: "discarded" };
	},
	render: () => "All edits of the session are dropped.",
});

export const simulateEnd = defineOperation({
	...about,
	name: "simulate_end",
	title: "End a session",
	description: "Ends a session and forgets its edits.",
	input: t.object({ session: Session }),
	output: t.object({ session: t.text(), state: t.text() }),
	aliases: [agentLsp.destroy],
	positional: ["session"],
	example: { input: { session: sessionExample }, output: { session: sessionExample, state: "destroyed" } },
	async run({ session }, on) {
		await on.simulations.end(session);
		return { session, state: "destroyed" };
	},
	render: () => "The session has ended.",
});
