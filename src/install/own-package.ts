import { basename, dirname, join } from "node:path";
import { isInside } from "../util/paths.ts";
import type { Env, Step } from "./plan.ts";

export type OwnPackage =
	| { readonly by: "npm" | "pi"; readonly where: string; readonly step: Step; readonly cwd: string }
	/** `advice` is for a person: the command changes more than pi-lsp, or is not pi-lsp's to run. */
	| { readonly by: "npx" | "other"; readonly where: string; readonly advice: string };

export function ownPackage(folder: string, version: string, home: string, env: Env): OwnPackage {
	const wanted = `pi-lsp@${version}`;
	const modules = dirname(folder);
	const outer = dirname(modules);
	if (/[\\/]_npx[\\/]/.test(folder)) return { by: "npx", where: outer, advice: `npx ${wanted} ...` };
	const agent = env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent");
	if (isInside(folder, join(agent, "git"))) return { by: "other", where: folder, advice: "pi update --extensions" };
	if (basename(modules) !== "node_modules")
		return { by: "other", where: folder, advice: `git pull, then npm install, in ${folder}` };
	const [holder, kind] = [dirname(outer), basename(outer)];
	if (kind === "npm" && (holder === agent || basename(holder) === ".pi")) {
		const step = { program: "pi", args: ["update", "npm:pi-lsp"] };
		return { by: "pi", where: outer, step, cwd: holder === agent ? home : dirname(holder) };
	}
	for (const [place, command] of otherManagers)
		if (place.test(folder)) return { by: "other", where: outer, advice: `${command} ${wanted}` };
	if (kind !== "lib") return { by: "other", where: outer, advice: `npm install ${wanted}, in ${outer}` };
	const args = ["install", "--global", "--prefix", holder, "--no-audit", "--no-fund", wanted];
	// npm reads no repository's .npmrc in the home directory.
	return { by: "npm", where: holder, step: { program: "npm", args }, cwd: home };
}

const otherManagers: readonly (readonly [place: RegExp, command: string])[] = [
	[/[\\/]pnpm[\\/].*[\\/]\.pnpm[\\/]/, "pnpm add --global"],
	[/[\\/]\.bun[\\/]install[\\/]global[\\/]/, "bun add --global"],
	[/[\\/]yarn[\\/]global[\\/]/i, "yarn global add"],
];

/** By semantic versions, without build metadata. */
export function isNewer(version: string, than: string): boolean {
	const [one, other] = [partsOf(version), partsOf(than)];
	for (const [index, part] of one.numbers.entries()) {
		const difference = part - (other.numbers[index] ?? 0);
		if (difference !== 0) return difference > 0;
	}
	if (one.names.length === 0 || other.names.length === 0) return other.names.length > one.names.length;
	for (const [index, name] of one.names.entries()) {
		const against = other.names[index];
		if (against === undefined) return true;
		if (name === against) continue;
		const numbers = [Number(name), Number(against)] as const;
		if (numbers.every(Number.isInteger)) return numbers[0] > numbers[1];
		return numbers.some(Number.isInteger) ? Number.isInteger(numbers[1]) : name > against;
	}
	return false;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly names: readonly string[] } {
	const [core = "", ...names] = (version.split("+")[0] ?? "").split("-");
	const numbers = core.split(".").map(Number);
	return { numbers, names: names.length > 0 ? names.join("-").split(".") : [] };
}
