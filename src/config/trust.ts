import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Disk } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { isInside } from "../util/paths.ts";
import { answerFile, readAnswer } from "./trust-store.ts";

export interface Trust {
	/** `stale`: what was allowed has changed. `refused`: the person is not asked again. */
	readonly state: "trusted" | "untrusted" | "stale" | "refused";
	/** `caller`: PI_LSP_TRUST=1, or a yes to pi's question. */
	readonly by?: "caller" | "trustedRoots" | "grant";
	readonly root?: string;
	readonly hash: string;
	readonly shown: readonly string[];
	/** For `stale`: with `+` or `-`. */
	readonly changed?: readonly string[];
}

export interface TrustQuestion {
	readonly root: string | undefined;
	readonly shown: readonly string[];
	readonly caller: boolean;
	readonly trustedRoots: readonly string[];
	readonly env: NodeJS.ProcessEnv;
	readonly disk: Disk;
}

export const trustSuggestion =
	"A person who trusts this repository uses {{trust add}}; {{trust}} shows what that allows.";

/** No file lists build scripts and plugins. */
const everythingElse = "and what the repository brings";

export async function decideTrust(question: TrustQuestion): Promise<Trust> {
	const { root, shown, caller, trustedRoots, env, disk } = question;
	const hash = hashOf(JSON.stringify([...shown, everythingElse]), 64);
	const about = { hash, shown, ...(root === undefined ? {} : { root }) };
	if (caller) return { state: "trusted", by: "caller", ...about };
	if (root === undefined) return { state: "untrusted", ...about };
	for (const trusted of trustedRoots)
		if (await isBelow(root, trusted, env, disk)) return { state: "trusted", by: "trustedRoots", ...about };
	for (const path of [answerFile(root, env), dirname(answerFile(root, env))]) await disk.stats(path);
	const known = readAnswer(root, env);
	if (!known) return { state: "untrusted", ...about };
	if (known.answer === "never") return { state: known.hash === hash ? "refused" : "untrusted", ...about };
	if (known.hash === hash) return { state: "trusted", by: "grant", ...about };
	const changed = [
		...known.shown.filter((line) => !shown.includes(line)).map((line) => `- ${line}`),
		...shown.filter((line) => !known.shown.includes(line)).map((line) => `+ ${line}`),
	];
	return { state: "stale", ...about, changed };
}

async function isBelow(root: string, written: string, env: NodeJS.ProcessEnv, disk: Disk): Promise<boolean> {
	const home = env.HOME || homedir();
	const path = written === "~" ? home : written.startsWith("~/") ? join(home, written.slice(2)) : written;
	return isAbsolute(path) && isInside(root, (await disk.real(path)) ?? path);
}
