import type { NextStep } from "../../contract/operation.ts";
import { editIn, type PhaseCall, withoutDry } from "./phase-call.ts";
import { matchesTool, type Phase, type Shown } from "./phases.ts";
import { callIn, filledIn } from "./skill.ts";

interface Known {
	readonly values: Readonly<Record<string, string>>;
	readonly shown: Shown | undefined;
	readonly before?: Phase | undefined;
}

export function recoveryFor(phase: Phase, refused: PhaseCall | undefined, { values, shown, before }: Known): NextStep {
	const why = phase.purpose;
	const makes = phase.allow.some(({ same }) => same);
	if (refused) {
		const { tool, input } = refused;
		const shows = [...phase.advance, ...(makes ? (before?.advance ?? []) : [])];
		if (shows.some((rule) => rule.dry && matchesTool(rule, tool)))
			return { operation: tool, input: { ...withoutDry(input), dry_run: true }, why };
		if (editIn(refused) && shows.some((rule) => matchesTool(rule, "preview")))
			return { operation: "preview", input: triedInput(input), why };
	}
	if (shown && makes) return { ...realCall(shown.call), why };
	const next = callIn(phase.next);
	const { WRITTEN: written } = values;
	const own = refused ? valuesOf(refused.input) : {};
	return { ...filledIn(next, { ...values, ...own, ...(written === undefined ? {} : { FILE: written }) }), why };
}

function realCall({ tool, input }: PhaseCall): Pick<NextStep, "operation" | "input"> {
	if (tool === "preview") return { operation: "apply_if_clean", input: triedInput(input) };
	if (tool.startsWith("simulate_"))
		return { operation: "simulate_commit", input: { session: input.session, apply: true } };
	return { operation: tool, input: withoutDry(input) };
}

const triedFields =
	"file path content deleted old_text new_text oldText newText edits patch line column end_line end_column".split(" ");

function triedInput(input: PhaseCall["input"]): PhaseCall["input"] {
	return Object.fromEntries(triedFields.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
}

export function valuesOf(input: PhaseCall["input"]): Record<string, string> {
	const values: Record<string, string> = {};
	for (const [name, value] of Object.entries(input)) {
		const [first] = [value].flat();
		const word = ["path", "files", "from"].includes(name) ? "FILE" : name.replace(/^symbols$/, "symbol").toUpperCase();
		if (typeof first === "string" || typeof first === "number") values[word] = String(first);
	}
	return values;
}
