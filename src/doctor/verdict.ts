import type { ServerConfig, Strategy } from "../../server.ts";
import type { Diagnostic } from "../contract/check-report.ts";
import type { Probe } from "../contract/doctor-report.ts";
import type { Push } from "./push-log.ts";

export interface Observed {
	readonly inUse: Strategy;
	readonly offersPull: boolean;
	readonly pullMs: number | undefined;
	readonly before: readonly Diagnostic[];
	readonly broken: Observation;
	readonly mended: Observation;
	readonly pushesUnchanged: boolean | undefined;
}

export interface Observation {
	readonly diagnostics?: readonly Diagnostic[];
	readonly ms?: number;
	readonly pushes: readonly Push[];
	readonly failed?: string;
}

const declaredOnly: readonly (Strategy | undefined)[] = ["tsserver", "flycheck"];

export function verdictOf(config: ServerConfig, observed: Observed): Probe {
	const { inUse, offersPull, pullMs, broken, mended, pushesUnchanged } = observed;
	const known = new Set(observed.before.map(diagnosticKey));
	const introduced = (diagnostics: readonly Diagnostic[] = []) =>
		diagnostics.filter((one) => !known.has(diagnosticKey(one)));
	const answered = introduced(broken.diagnostics);
	const pushed = broken.pushes.find(({ diagnostics }) => introduced(diagnostics).length > 0);
	const wrong = new Set([...answered, ...introduced(pushed?.diagnostics)].map(diagnosticKey));
	const isMended = (diagnostics: readonly Diagnostic[]) => !diagnostics.some((one) => wrong.has(diagnosticKey(one)));
	const seenMs = answered.length > 0 ? broken.ms : pushed?.ms;
	const goneMs =
		mended.diagnostics && isMended(mended.diagnostics)
			? mended.ms
			: mended.pushes.find(({ diagnostics }) => isMended(diagnostics))?.ms;
	const [push] = broken.pushes;
	const versioned = broken.pushes.some((each) => each.versioned);
	const works = declaredOnly.includes(inUse) && answered.length > 0;
	const byPush = push && (versioned ? "versioned-push" : "push");
	const detected = works ? inUse : pullMs !== undefined ? "pull" : byPush;
	const failed = broken.failed ?? mended.failed;
	return {
		offersPull,
		...(pullMs === undefined ? {} : { pullMs: rounded(pullMs) }),
		...(push ? { pushMs: rounded(push.ms), pushVersioned: versioned } : {}),
		...(pushesUnchanged === undefined ? {} : { pushesUnchanged }),
		...(seenMs === undefined ? {} : { errorSeenMs: rounded(seenMs) }),
		...(seenMs === undefined || goneMs === undefined ? {} : { errorGoneMs: rounded(goneMs) }),
		...(detected ? { detected } : {}),
		differs: differences(config, {
			detected,
			seen: seenMs !== undefined,
			gone: goneMs !== undefined,
			lateMs: answered.length === 0 && broken.diagnostics ? pushed?.ms : undefined,
			inUse,
		}),
		...(failed ? { failed } : {}),
	};
}

function differences(
	{ strategy, diagnoses = true }: ServerConfig,
	found: {
		readonly detected: Strategy | undefined;
		readonly seen: boolean;
		readonly gone: boolean;
		readonly lateMs: number | undefined;
		readonly inUse: Strategy;
	},
): string[] {
	const { detected, seen, gone, lateMs, inUse } = found;
	if (!diagnoses) return seen ? ["it is declared to report no diagnostics, and reports some"] : [];
	return [
		...(strategy && detected && strategy !== detected ? [`${strategy} is declared, ${detected} is what it does`] : []),
		...(lateMs === undefined
			? []
			: [`by ${inUse} the syntax error is not reported; a push reports it after ${rounded(lateMs)} ms`]),
		...(seen && !gone ? ["the syntax error is still reported after the true text was restored"] : []),
	];
}

function diagnosticKey({ line, severity, message }: Diagnostic): string {
	return JSON.stringify([line, severity, message]);
}

function rounded(ms: number): number {
	return Math.round(ms * 10) / 10;
}
