import type { SkillPhase } from "../../operations/skill-phases.ts";

type Phase = Omit<SkillPhase, "active"> & { readonly active?: boolean };

export function phaseText(phase: Phase): string {
	const { skill_name: skill, active = true, available_skills: available = [] } = phase;
	if (!active || skill === undefined) return `No skill is active. Those with phases: ${available.join(", ")}`;
	const { mode, current_phase: name, total_phases: total, allowed_tools: allowed = [], next } = phase;
	return [
		`${skill} is active (${mode}): phase "${name}" of ${total}.`,
		`May write: ${allowed.length > 0 ? allowed.join(", ") : "nothing yet"}.`,
		...(next === undefined ? [] : [`next: ${next}`]),
	].join("\n");
}
