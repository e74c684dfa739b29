import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Disk } from "../util/files.ts";
import { hashOf } from "../util/hash.ts";
import { isInside } from "../util/paths.ts";
import { answerFile, readAnswer } from "./trust-store.ts";

/** Whether what a repository brings may be run, and who said so. */
export interface Trust {
	/**
	 * `stale`: it was allowed, and what it would run is not what was shown then. `refused`: the person never wants to be
	 * asked about this again. Only `trusted` allows anything.
	 */
	readonly state: "trusted" | "untrusted" | "stale" | "refused";
	/** Who allowed it: the caller (PI_LSP_TRUST=1, or a yes to pi's own question), `trustedRoots`, `pi-lsp trust add`. */
	readonly by?: "caller" | "trustedRoots" | "grant";
	/** The workspace that it is about. */
	readonly root?: string;
	/** Of what would be shown now. */
	readonly hash: string;
	/** What the repository's configuration says that counts with trust only, line by line. */
	readonly shown: readonly string[];
	/** For `stale`: what came and what went since, each with `+` or `-` in front. */
	readonly changed?: readonly string[];
}

/** What has to be known to decide. */
export interface TrustQuestion {
	readonly root: string | undefined;
	readonly shown: readonly string[];
	/** True if the caller itself allows it. */
	readonly caller: boolean;
	readonly trustedRoots: readonly string[];
	readonly env: NodeJS.ProcessEnv;
	readonly disk: Disk;
}

/** What a person does who wants it to be run. */
export const trustSuggestion =
	"A person who trusts this repository uses {{trust add}}; {{trust}} shows what that allows.";

/** Allowed together with what is shown: what no file lists, build scripts, plugins and the like. */
const everythingElse = "and what the repository brings";

/** Decides whether what a repository brings may be run. */
export async function decideTrust(question: TrustQuestion): Promise<Trust> {
	const { root, shown, caller, trustedRoots, env, disk } = question;
	const hash = hashOf(JSON.stringify([...shown, everythingElse]), 64);
	const about = { hash, shown, ...(root === undefined ? {} : { root }) };
	if (caller) return { state: "trusted", by: "caller", ...about };
	if (root === undefined) return { state: "untrusted", ...about };
	for (const trusted of trustedRoots)
		if (await isBelow(root, trusted, env, disk)) return { state: "trusted", by: "trustedRoots", ...about };
	// What it rests on, for whoever keeps what was decided: the answer, and who may write one.
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
