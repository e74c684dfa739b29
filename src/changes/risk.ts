import { count } from "../render/count.ts";
import type { SymbolChange } from "./symbol-changes.ts";

export const risks = ["low", "medium", "high"] as const;

export interface RiskFacts {
	/** Undefined before an edit. */
	readonly change: SymbolChange["change"] | undefined;
	readonly exported: boolean | undefined;
	/** Outside of tests; `files` excludes the symbol's own. */
	readonly callers: number;
	readonly files: number;
	readonly implementers: number;
	readonly tests: number;
	readonly left: number;
}

export interface Risk {
	readonly risk: (typeof risks)[number];
	readonly why: string;
}

const manyFiles = 10;

export function riskOf(facts: RiskFacts): Risk {
	const { change, callers, files, implementers, tests, left, exported } = facts;
	if (change === "removed" || change === "moved") {
		const where = change === "moved" ? "at its old place" : "and it is gone";
		if (left > 0) return { risk: "high", why: `${count(left, "place still uses", "places still use")} it ${where}` };
		if (change === "removed") return { risk: "low", why: "nothing uses it any more" };
	}
	const tested = tests === 0 ? "no test reaches it" : `${count(tests, "test reaches", "tests reach")} it`;
	if (callers === 0 && implementers === 0) {
		const outside = exported ? "; code outside of the workspace may" : "";
		return { risk: "low", why: `nothing but ${tests === 0 ? "itself" : "tests"} uses it here${outside}` };
	}
	const used = [
		...(callers === 0
			? []
			: [`${count(callers, "caller", "callers")} in ${count(Math.max(files, 1), "file", "files")}`]),
		...(implementers === 0 ? [] : [count(implementers, "implementation", "implementations")]),
		tested,
	].join(", ");
	// No compiler sees what a body does; only tests do.
	const isBody = change === "body" || change === "moved" || change === "added";
	const isWide = files >= manyFiles || implementers > 0;
	if (isBody) return { risk: tests === 0 || isWide ? "medium" : "low", why: used };
	return { risk: isWide || (tests === 0 && files > 1) ? "high" : "medium", why: used };
}
