import { defineAlias } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { profile } from "./agent-lsp.ts";

export const activateSkill = defineAlias({
	profile,
	name: "activate_skill",
	description:
		"Holds this session to the phases of a skill: a tool that a phase does not allow is refused, or warned of, with what goes on.",
	input: t.object({
		skill_name: t.text("lsp-rename, lsp-refactor, lsp-safe-edit, lsp-verify, …"),
		mode: t.optional.oneOf(["warn", "block"], "What happens to a tool that a phase does not allow", {
			default: "warn",
		}),
	}),
	toInput: ({ skill_name: name, mode = "warn" }) => ({ name, mode }),
	toOutput: ({ instructions: _, next: __, ...state }: { readonly instructions: string; readonly next?: string }) =>
		state,
});

export const getSkillPhase = defineAlias({
	profile,
	name: "get_skill_phase",
	description: "The active skill, its phase, and what that allows; without one the skills that have phases.",
	input: t.object({}),
	toInput: () => ({}),
	toOutput: ({ next: _, ...state }: { readonly next?: string }) => state,
});

export const deactivateSkill = defineAlias({
	profile,
	name: "deactivate_skill",
	description: "Frees this session from the phases of its skill.",
	input: t.object({}),
	toInput: () => ({}),
	toOutput: (answer: object) => answer,
});
