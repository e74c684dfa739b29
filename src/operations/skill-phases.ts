import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { phaseText } from "../render/answers/skill-phase.ts";
import * as agentLsp from "./compat/agent-lsp-skills.ts";

/* faces/skills/ answers these: the daemon has no session. */

const modes = ["warn", "block"] as const;

const State = {
	mode: t.optional.oneOf(modes, "`block` refuses what a phase does not allow, `warn` says so"),
	current_phase: t.optional.text(),
	total_phases: t.optional.integer(),
	allowed_tools: t.optional.texts("What may write; reading always may"),
	forbidden_tools: t.optional.texts(),
	next: t.optional.text("The call that goes on"),
};

const ActivatedSchema = t.object({ status: t.text(), skill: t.text(), ...State, instructions: t.text("The steps") });
export type Activated = ValueOf<typeof ActivatedSchema>;

const PhaseSchema = t.object({
	active: t.flag(),
	skill_name: t.optional.text(),
	...State,
	phase_index: t.optional.integer("From 0"),
	tool_history: t.optional.texts("Calls since the activation"),
	available_skills: t.optional.texts("Those with phases"),
});
export type SkillPhase = ValueOf<typeof PhaseSchema>;

const DeactivatedSchema = t.object({ status: t.text(), skill: t.optional.text() });
export type Deactivated = ValueOf<typeof DeactivatedSchema>;

export interface PhaseViolation {
	readonly error: "phase_violation";
	readonly tool: string;
	readonly skill: string;
	readonly current_phase: string;
	readonly reason: string;
	readonly recovery: string;
}

async function withoutSession(): Promise<never> {
	throw new LspError("LSP_SESSION_NOT_FOUND", "A skill holds the session of an agent; this call has none.", {
		suggestion: "Follow the steps without it.",
	});
}

const state = {
	mode: "block",
	current_phase: "preview",
	total_phases: 3,
	allowed_tools: ['rename {"dry_run":true}'],
	forbidden_tools: ["edit", "write", "bash", "rename"],
	next: 'lsp_rename {"file":"src/greet.ts","symbol":"greet","new_name":"welcome","dry_run":true}',
} as const;

export const activateSkill = defineOperation({
	name: "activate_skill",
	title: "Activate a skill",
	description:
		"Holds this session to the steps of a skill, and answers with them: what a step does not allow is refused with the call that goes on. Steps end by themselves; reading and `undo` are never refused.",
	effect: "control",
	startsDaemon: true,
	input: t.object({
		name: t.text("lsp-rename, lsp-refactor, lsp-safe-edit, lsp-verify, …; also without lsp-"),
		mode: t.optional.oneOf(modes, "`block` (default) refuses what a step does not allow, `warn` says so"),
	}),
	output: ActivatedSchema,
	aliases: [agentLsp.activateSkill],
	positional: ["name"],
	example: {
		input: { name: "lsp-rename" },
		output: { status: "activated", skill: "lsp-rename", ...state, instructions: "# Rename a symbol everywhere" },
	},
	run: withoutSession,
	render: ({ skill, instructions, ...phase }) => `${instructions}\n\n${phaseText({ skill_name: skill, ...phase })}`,
});

export const getSkillPhase = defineOperation({
	name: "get_skill_phase",
	title: "Phase of the active skill",
	description: "Which skill holds this session, at which step, what that allows, and the call that goes on.",
	effect: "control",
	startsDaemon: true,
	input: t.object({}),
	output: PhaseSchema,
	aliases: [agentLsp.getSkillPhase],
	example: {
		input: {},
		output: { active: true, skill_name: "lsp-rename", ...state, phase_index: 0, tool_history: [] },
	},
	run: withoutSession,
	render: (found) => phaseText(found),
});

export const deactivateSkill = defineOperation({
	name: "deactivate_skill",
	title: "Deactivate the skill",
	description: "Frees this session from the steps of its skill, at any time.",
	effect: "control",
	startsDaemon: true,
	input: t.object({}),
	output: DeactivatedSchema,
	aliases: [agentLsp.deactivateSkill],
	example: { input: {}, output: { status: "deactivated", skill: "lsp-rename" } },
	run: withoutSession,
	render: ({ skill }) => (skill === undefined ? "No skill was active." : `${skill} is not active any more.`),
});
