import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { LoopbackRegistry } from "../support/loopback-registry.ts";
import { copyCheckout, REPOSITORY } from "../support/repository.ts";
import { type CommandResult, runCommand } from "../support/run-command.ts";
import type { Workspace } from "../support/workspace.ts";

/** The tarball that `npm publish` would send, of a copy: it is built anew, and other tests run from the checkout. */
export async function packed(ws: Workspace): Promise<string> {
	const target = join(ws.base, "packed");
	mkdirSync(target);
	const copy = join(ws.base, "to-pack");
	copyCheckout(copy);
	symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
	await succeed(ws, "npm", ["pack", "--pack-destination", target], npmEnvironment(ws), copy);
	expect(readFileSync(join(copy, "package.json"), "utf8")).toBe(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
	const [file = ""] = readdirSync(target);
	return join(target, file);
}

/** An npm of the workspace's own: prefix, cache and registry. */
export function npmEnvironment(ws: Workspace, registry?: LoopbackRegistry): Record<string, string> {
	return {
		...ws.env,
		npm_config_prefix: join(ws.base, "npm"),
		npm_config_cache: join(ws.base, "npm-cache"),
		npm_config_registry: registry?.url ?? "http://127.0.0.1:9/",
		npm_config_update_notifier: "false",
		npm_config_audit: "false",
		npm_config_fund: "false",
	};
}

export async function succeed(
	ws: Workspace,
	file: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
	cwd = ws.root,
): Promise<CommandResult> {
	const result = await runCommand(file, args, { cwd, env, timeoutMs: 100_000 });
	ws.record(`$ ${[file, ...args].join(" ")}\n${result.stdout}${result.stderr}exit ${result.code}`);
	expect(result.code, args.join(" ")).toBe(0);
	return result;
}

/** A clone of a commit that holds the working tree. */
export async function clone(ws: Workspace): Promise<string> {
	const origin = join(ws.base, "origin");
	copyCheckout(origin);
	forgetSums(join(origin, "package-lock.json"));
	const git = (...args: string[]) => succeed(ws, "git", args, ws.env, origin);
	await git("init", "--quiet");
	await git("add", "--all");
	await git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "--message", "all");
	const checkout = join(ws.base, "checkout");
	await git("clone", "--quiet", `file://${origin}`, checkout);
	return checkout;
}

/** The registry packs anew what is installed here, so the same files have other sums than the lockfile knows. */
function forgetSums(lockfile: string): void {
	const lock = JSON.parse(readFileSync(lockfile, "utf8")) as { packages: Record<string, { integrity?: string }> };
	for (const entry of Object.values(lock.packages)) delete entry.integrity;
	writeFileSync(lockfile, JSON.stringify(lock));
}

/**
 * The packages that npm requested in vain: binaries of other platforms may be missing, everything else must be here.
 */
export function foreign(registry: LoopbackRegistry): string[] {
	const platform = /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-/;
	return registry.missing.filter((asked) => !platform.test(asked));
}
