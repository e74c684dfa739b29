import { LspError } from "../../contract/errors.ts";
import type { Activated, Deactivated, PhaseViolation, SkillPhase } from "../../operations/skill-phases.ts";
import type { ToolAnswer } from "../tools/tool-definitions.ts";
import type { PhaseCall } from "./phase-call.ts";
import { forbiddenIn, matchesTool, means, type Phase, resulted, ruleText, type Shown, writtenBy } from "./phases.ts";
import { recoveryFor, valuesOf } from "./recovery.ts";
import { allSkills, type Skill, skillNamed } from "./skill.ts";
import { callWriter, instructionsIn, type Words } from "./words.ts";

const modes = ["warn", "block"] as const;
type Mode = (typeof modes)[number];

interface Active {
	readonly skill: Skill;
	readonly phases: readonly Phase[];
	readonly mode: Mode;
	index: number;
	shown: Shown | undefined;
	readonly values: Record<string, string>;
	readonly written: Set<string>;
	readonly history: string[];
}

/** Without `output` the call has failed. */
export type CallEnded = (output?: unknown) => void;

const maxHistory = 50;

export class SkillBinding {
	#active: Active | undefined;
	#warnings: PhaseViolation[] = [];

	async answer(operation: string, input: unknown, words: Words): Promise<object | undefined> {
		const { name, mode } = (input ?? {}) as { readonly name?: unknown; readonly mode?: unknown };
		if (operation === "activate_skill") return this.#activate(String(name ?? ""), mode, words);
		if (operation === "get_skill_phase") return this.#phase(words);
		if (operation === "deactivate_skill") return this.deactivate();
		return undefined;
	}

	get isActive(): boolean {
		return this.#active !== undefined;
	}

	deactivate(): Deactivated {
		const skill = this.#active?.skill.name;
		this.#active = undefined;
		return { status: "deactivated", ...(skill === undefined ? {} : { skill }) };
	}

	/** Throws LSP_PHASE_VIOLATION, or warns. */
	begin(call: PhaseCall, words: Words): CallEnded {
		const active = this.#active;
		const phase = active?.phases[active.index];
		if (!active || !phase) return () => {};
		const violation = violationOf(active, phase, call, words);
		if (violation) Object.assign(active.values, valuesOf(call.input));
		if (violation && active.mode === "block")
			throw new LspError("LSP_PHASE_VIOLATION", violation.reason, { ...violation, suggestion: violation.recovery });
		if (violation) this.#warnings.push(violation);
		const { index } = active;
		return (output) => {
			if (output === undefined || this.#active !== active) return;
			learn(active, call, output);
			active.history.push(call.tool);
			if (active.history.length > maxHistory) active.history.shift();
			if (active.index === index) this.#advance(active, phase, { call, output });
		};
	}

	/** Always in a skill, else after empty answers, and not for other products. */
	nextLine({ texts, next }: ToolAnswer, words: Words): string | undefined {
		if (!this.#active) return next;
		const isOwn = words === "pi" || words === "core" || words === "all";
		if (!isOwn || texts.some((text) => text.includes("\nnext: "))) return undefined;
		return `next: ${this.#state(words).next}`;
	}

	takeWarnings(): string[] {
		const warnings = this.#warnings.map((each) => JSON.stringify(each));
		this.#warnings = [];
		return warnings;
	}

	#advance(active: Active, phase: Phase, shown: Shown): void {
		const ends = (each: Phase | undefined) =>
			each?.advance.some(
				(rule) => means(rule, shown.call, active.shown) && resulted(rule, shown.call, shown.output, active.written),
			);
		if (ends(phase)) {
			active.shown = shown;
			active.index++;
			if (active.index === active.phases.length) this.#active = undefined;
		} else if (phase.allow.some(({ same }) => same) && ends(active.phases[active.index - 1])) {
			active.shown = shown;
		}
	}

	async #activate(name: string, given: unknown, words: Words): Promise<Activated> {
		const mode = given === undefined ? "block" : modes.find((each) => each === given);
		if (!mode) throw new LspError("LSP_INVALID_INPUT", `activate_skill: mode: Expected one of ${modes.join(", ")}.`);
		const skill = await skillNamed(name);
		const { phases } = skill;
		if (!phases) {
			const bound = (await boundSkills()).join(", ");
			throw new LspError("LSP_INVALID_INPUT", `${skill.name} changes nothing, so it has no phases.`, {
				suggestion: `Skills with phases: ${bound}.`,
			});
		}
		this.#active = { skill, phases, mode, index: 0, shown: undefined, values: {}, written: new Set(), history: [] };
		const { skill_name: _, phase_index: __, tool_history: ___, active: ____, ...state } = this.#state(words);
		return {
			status: "activated",
			skill: skill.name,
			...state,
			instructions: instructionsIn(skill, words),
		} as Activated;
	}

	async #phase(words: Words): Promise<SkillPhase> {
		if (!this.#active) return { active: false, available_skills: await boundSkills() };
		return this.#state(words);
	}

	#state(words: Words): SkillPhase {
		const { skill, phases, mode, index, history, values } = this.#active as Active;
		const phase = phases[index] as Phase;
		return {
			active: true,
			skill_name: skill.name,
			mode,
			current_phase: phase.name,
			phase_index: index,
			total_phases: phases.length,
			allowed_tools: phase.allow.flatMap(ruleText),
			forbidden_tools: forbiddenIn(phase),
			tool_history: history,
			next: callWriter(words)(recoveryFor(phase, undefined, { values, shown: this.#active?.shown })),
		};
	}
}

function learn({ values, written }: Active, { input }: PhaseCall, output: unknown): void {
	Object.assign(values, valuesOf(input));
	const { session } = (output ?? {}) as { readonly session?: unknown };
	if (typeof session === "string") values.SESSION = session;
	const files = writtenBy(output);
	for (const file of files) written.add(file);
	if (files[0] !== undefined) values.WRITTEN = files[0];
}

function violationOf(active: Active, phase: Phase, call: PhaseCall, words: Words): PhaseViolation | undefined {
	if (!call.writes || phase.allow.some((rule) => means(rule, call, active.shown))) return undefined;
	const { skill, phases, index, values, shown } = active;
	const next = recoveryFor(phase, call, { values, shown, before: phases[index - 1] });
	const isNamed = phase.allow.some((rule) => matchesTool(rule, call.tool));
	const what = isNamed ? `${call.tool} with these arguments` : call.tool;
	return {
		error: "phase_violation",
		tool: call.tool,
		skill: skill.name,
		current_phase: phase.name,
		reason: `${what} is not part of phase ${index + 1} of ${phases.length}, "${phase.name}": ${phase.purpose}`,
		recovery: `Next: ${callWriter(words)(next)}`,
	};
}

async function boundSkills(): Promise<string[]> {
	return (await allSkills()).filter(({ phases }) => phases).map(({ name }) => name);
}
