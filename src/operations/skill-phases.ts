import { Type } from "@sinclair/typebox";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { oneOf, type ValueOf } from "../contract/schema.ts";
import { phaseText } from "../render/answers/skill-phase.ts";
import * as agentLsp from "./compat/agent-lsp-skills.ts";

/* faces/skills/ answers these: the daemon has no session. */

const modes = ["warn", "block"] as const;

const State = {
	mode: Type.Optional(oneOf(modes, "`block` refuses what a phase does not allow, `warn` says so")),
	current_phase: Type.Optional(Type.String()),
	total_phases: Type.Optional(Type.Integer()),
	allowed_tools: Type.Optional(Type.Array(Type.String(), { description: "What may write; reading always may" })),
	forbidden_tools: Type.Optional(Type.Array(Type.String())),
	next: Type.Optional(Type.String({ description: "The call that goes on" })),
};

const ActivatedSchema = Type.Object({
	status: Type.String(),
	skill: Type.String(),
	...State,
	instructions: Type.String({ description: "The steps" }),
});
export type Activated = ValueOf<typeof ActivatedSchema>;

const PhaseSchema = Type.Object({
	active: Type.Boolean(),
	skill_name: Type.Optional(Type.String()),
	...State,
	phase_index: Type.Optional(Type.Integer({ description: "From 0" })),
	tool_history: Type.Optional(Type.Array(Type.String(), { description: "Calls since the activation" })),
	available_skills: Type.Optional(Type.Array(Type.String(), { description: "Those with phases" })),
});
export type SkillPhase = ValueOf<typeof PhaseSchema>;

const DeactivatedSchema = Type.Object({ status: Type.String(), skill: Type.Optional(Type.String()) });
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
	input: Type.Object({
		name: Type.String({ description: "lsp-rename, lsp-refactor, lsp-safe-edit, lsp-verify, …; also without lsp-" }),
		mode: Type.Optional(oneOf(modes, "`block` (default) refuses what a step does not allow, `warn` says so")),
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
	input: Type.Object({}),
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
	input: Type.Object({}),
	output: DeactivatedSchema,
	aliases: [agentLsp.deactivateSkill],
	example: { input: {}, output: { status: "deactivated", skill: "lsp-rename" } },
	run: withoutSession,
	render: ({ skill }) => (skill === undefined ? "No skill was active." : `${skill} is not active any more.`),
});
