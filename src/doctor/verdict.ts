import type { ServerConfig, Strategy } from "../../server.ts";
import type { Diagnostic } from "../contract/check-report.ts";
import type { Probe } from "../contract/doctor-report.ts";
import type { Push } from "./push-log.ts";

/** What was seen of a server while it was tried out. */
export interface Observed {
	readonly inUse: Strategy;
	readonly offersPull: boolean;
	readonly pullMs: number | undefined;
	/** What was told of the true text. */
	readonly before: readonly Diagnostic[];
	/** What was told of the text with a syntax error, and of the true one after it. */
	readonly broken: Told;
	readonly mended: Told;
	readonly pushesUnchanged: boolean | undefined;
}

interface Told {
	/** The answer by the strategy in use. */
	readonly told?: readonly Diagnostic[];
	readonly ms?: number;
	readonly pushes: readonly Push[];
	readonly failed?: string;
}

/** The strategies that no server can be seen to need: they are declared, and it is seen whether they work. */
const declaredOnly: readonly (Strategy | undefined)[] = ["tsserver", "flycheck"];

/** What a server's behaviour comes to, and where that differs from what is declared of it. */
export function verdictOf(config: ServerConfig, observed: Observed): Probe {
	const { inUse, offersPull, pullMs, broken, mended, pushesUnchanged } = observed;
	const known = new Set(observed.before.map(keyOf));
	const introduced = (told: readonly Diagnostic[] = []) => told.filter((one) => !known.has(keyOf(one)));
	const answered = introduced(broken.told);
	const pushed = broken.pushes.find(({ told }) => introduced(told).length > 0);
	const wrong = new Set([...answered, ...introduced(pushed?.told)].map(keyOf));
	const isMended = (told: readonly Diagnostic[]) => !told.some((one) => wrong.has(keyOf(one)));
	const seenMs = answered.length > 0 ? broken.ms : pushed?.ms;
	const goneMs =
		mended.told && isMended(mended.told) ? mended.ms : mended.pushes.find(({ told }) => isMended(told))?.ms;
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
			lateMs: answered.length === 0 && broken.told ? pushed?.ms : undefined,
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
			: [`by ${inUse} the syntax error is not told; a push tells it after ${rounded(lateMs)} ms`]),
		...(seen && !gone ? ["the syntax error is still told after the true text was put back"] : []),
	];
}

function keyOf({ line, severity, message }: Diagnostic): string {
	return JSON.stringify([line, severity, message]);
}

function rounded(ms: number): number {
	return Math.round(ms * 10) / 10;
}
