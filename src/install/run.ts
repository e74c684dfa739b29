import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { programFolders } from "../launch/install.ts";
import { identityOf, isAlive } from "../process/process-identity.ts";
import { commandLine, type Env, type Plan, type Step } from "./plan.ts";

const lastLines = 12;
const lastBytes = 64 * 1024;

/**
 * Carries a plan out: everything is made in a directory beside the place, and takes the place in one move when its program
 * is there. A failure, or the end of the signal, leaves what was there before. Rejects with LSP_INSTALL_FAILED and the last
 * of what the package manager said.
 */
export async function install(plan: Plan, env: Env, signal: AbortSignal): Promise<void> {
	const { id, folder, temporary, steps, programs, gems } = plan;
	const parent = dirname(folder);
	await mkdir(parent, { recursive: true, mode: 0o700 });
	await chmod(parent, 0o700);
	const owner = `${temporary}.owner`;
	await takePlace(id, owner);
	try {
		await rm(temporary, { recursive: true, force: true });
		await mkdir(temporary, { mode: 0o700 });
		for (const step of steps) await run(plan, step, env, signal);
		if (gems) await wrapGems(temporary, folder);
		await moveTexts(join(temporary, "bin"), temporary, folder);
		const places = programFolders(temporary);
		if (!programs.some((program) => places.some((place) => existsSync(join(place, program)))))
			throw failed(id, `what was installed holds no ${programs[0]}`);
		const old = `${folder}.old`;
		await rm(old, { recursive: true, force: true });
		if (existsSync(folder)) await rename(folder, old);
		await rename(temporary, folder);
		await rm(old, { recursive: true, force: true });
	} finally {
		await rm(temporary, { recursive: true, force: true });
		await rm(owner, { force: true });
	}
}

/** One installation of a server at a time; what one that was killed has left counts for nothing. */
async function takePlace(id: string, owner: string): Promise<void> {
	const ours = identityOf(process.pid);
	for (let attempt = 1; ; attempt++) {
		try {
			await writeFile(owner, ours, { flag: "wx", mode: 0o600 });
			return;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		}
		const other = await readFile(owner, "utf8").catch(() => "");
		if (attempt > 1 || (other !== "" && isAlive(other))) throw failed(id, "another installation of it is under way");
		await rm(owner, { force: true });
	}
}

async function run({ id, temporary, path }: Plan, step: Step, env: Env, signal: AbortSignal): Promise<void> {
	const child = spawn(step.program, step.args, {
		// Not where the caller stands: a repository may bring an .npmrc.
		cwd: temporary,
		env: { ...env, ...step.environment, PATH: path },
		stdio: ["ignore", "pipe", "pipe"],
		signal,
	});
	let said = "";
	const keep = (chunk: Buffer) => {
		said = (said + chunk.toString("utf8")).slice(-lastBytes);
	};
	child.stdout.on("data", keep);
	child.stderr.on("data", keep);
	const end = await new Promise<string | undefined>((resolve) => {
		child.once("error", (error: NodeJS.ErrnoException) =>
			resolve(error.code === "ENOENT" ? `${step.program} is not installed` : error.message),
		);
		child.once("close", (code, by) => resolve(code === 0 ? undefined : `it ended with ${by ?? `code ${code}`}`));
	});
	if (end === undefined) return;
	const tail = said.trimEnd().split("\n").slice(-lastLines).join("\n");
	throw failed(id, `${commandLine(step)}: ${end}`, tail);
}

/** A program of a gem finds its libraries only where GEM_HOME says. */
async function wrapGems(temporary: string, folder: string): Promise<void> {
	const names = await readdir(join(temporary, "gem-bin")).catch((): string[] => []);
	await mkdir(join(temporary, "bin"), { recursive: true });
	for (const name of names) {
		const home = `GEM_HOME='${folder}' GEM_PATH='${folder}'`;
		const text = `#!/bin/sh\n${home} exec '${join(folder, "gem-bin", name)}' "$@"\n`;
		await writeFile(join(temporary, "bin", name), text, { mode: 0o755 });
	}
}

/** Scripts that begin with the path of their interpreter (a virtual environment's do) get the one that it will have. */
async function moveTexts(bin: string, from: string, to: string): Promise<void> {
	const entries = await readdir(bin, { withFileTypes: true }).catch(() => []);
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		const path = join(bin, entry.name);
		const bytes = await readFile(path);
		if (bytes.toString("latin1", 0, 2) === "#!" && bytes.includes(from))
			await writeFile(path, bytes.toString("utf8").replaceAll(from, to));
	}
}

function failed(id: string, why: string, said = ""): LspError {
	return new LspError("LSP_INSTALL_FAILED", `${id} was not installed: ${why}.${said ? `\n${said}` : ""}`, {
		language: id,
	});
}
