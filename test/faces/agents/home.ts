import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { CLI } from "../../support/repository.ts";
import type { Workspace } from "../../support/workspace.ts";

export function homeOf(ws: Workspace): string {
	return ws.env.HOME as string;
}

export function inHome(ws: Workspace, file: string): string {
	return readFileSync(join(homeOf(ws), file), "utf8");
}

export function put(ws: Workspace, file: string, text: string): void {
	const path = join(homeOf(ws), file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

/** The environment of a user with a global installation of pi-lsp. */
export function installed(ws: Workspace): Record<string, string> {
	const bin = join(ws.base, "bin");
	mkdirSync(bin, { recursive: true });
	symlinkSync(CLI, join(bin, "pi-lsp"));
	return { ...ws.env, PATH: `${bin}:${ws.env.PATH}` };
}

export async function run(ws: Workspace, ...args: string[]): Promise<string> {
	return runWith(ws, ws.env, ...args);
}

export async function runWith(
	ws: Workspace,
	env: Readonly<Record<string, string>>,
	...args: string[]
): Promise<string> {
	const { code, stdout, stderr } = await ws.cli(args, { env });
	expect([code, stderr], args.join(" ")).toEqual([0, ""]);
	return stdout;
}
