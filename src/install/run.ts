import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { programFolders } from "../launch/install.ts";
import { installationOwner, putBack, replacedFolder } from "../launch/interrupted-install.ts";
import { identityOf, isAlive } from "../process/process-identity.ts";
import { shellWord } from "../render/shell-word.ts";
import { installedVersion, writeRecord } from "./installed.ts";
import { commandLine, type Env, type Plan, type Step } from "./plan.ts";

const lastLines = 12;
const lastBytes = 64 * 1024;

/** Replaces the old directory in one move. Rejects with LSP_INSTALL_FAILED and the last output. */
export async function install(
	plan: Plan,
	env: Env,
	signal: AbortSignal,
	onLine: (line: string) => void = () => {},
): Promise<string | undefined> {
	const { id, folder, temporary, steps, programs, manager } = plan;
	return alone(id, folder, async () => {
		await rm(temporary, { recursive: true, force: true });
		await mkdir(temporary, { mode: 0o700 });
		try {
			for (const step of steps) await run(plan, step, env, { signal, onLine });
			if (manager === "gem") await wrapGems(temporary, folder);
			await moveTexts(join(temporary, "bin"), temporary, folder);
			const found = programFolders(temporary)
				.flatMap((directory) => programs.map((program) => join(directory, program)))
				.find((file) => existsSync(file));
			if (found === undefined) throw failed(id, `what was installed holds no ${programs[0]}`);
			const version = await installedVersion(plan, temporary, found, env);
			await writeRecord(temporary, plan, version);
			const old = replacedFolder(folder);
			await setAside(folder, old);
			await rename(temporary, folder);
			await rm(old, { recursive: true, force: true });
			return version;
		} finally {
			await rm(temporary, { recursive: true, force: true });
		}
	});
}

/** Rejects with LSP_INSTALL_FAILED during an installation. */
export function remove(id: string, folder: string): Promise<void> {
	return alone(id, folder, async () => {
		// A replaced one's name would be put back.
		const removed = join(dirname(folder), `.${basename(folder)}.removed`);
		await setAside(folder, removed);
		await rm(removed, { recursive: true, force: true });
	});
}

async function setAside(folder: string, to: string): Promise<void> {
	await rm(to, { recursive: true, force: true });
	if (existsSync(folder)) await rename(folder, to);
}

async function alone<Result>(id: string, folder: string, work: () => Promise<Result>): Promise<Result> {
	const parent = dirname(folder);
	await mkdir(parent, { recursive: true, mode: 0o700 });
	await chmod(parent, 0o700);
	const owner = installationOwner(folder);
	putBack(folder);
	await lockInstallation(id, owner);
	try {
		return await work();
	} finally {
		await rm(owner, { force: true });
	}
}

async function lockInstallation(id: string, owner: string): Promise<void> {
	const ours = identityOf(process.pid);
	for (let attempt = 1; ; attempt++) {
		try {
			await writeFile(owner, ours, { flag: "wx", mode: 0o600 });
			return;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		}
		const other = await readFile(owner, "utf8").catch(() => "");
		if (attempt > 1 || (other !== "" && isAlive(other)))
			throw new LspError("LSP_INSTALL_FAILED", `${id}: another installation of it is under way.`, {
				language: id,
				suggestion: "Wait for its end.",
			});
		await rm(owner, { force: true });
	}
}

interface Listening {
	readonly signal: AbortSignal;
	onLine(line: string): void;
}

async function run({ id, temporary, path }: Plan, step: Step, env: Env, { signal, onLine }: Listening): Promise<void> {
	const child = spawn(step.program, step.args, {
		// The caller's may have the repository's .npmrc.
		cwd: temporary,
		env: { ...env, ...step.environment, PATH: path },
		stdio: ["ignore", "pipe", "pipe"],
		signal,
	});
	let output = "";
	const keep = (chunk: Buffer) => {
		output = (output + chunk.toString("utf8")).slice(-lastBytes);
		onLine(output.trimEnd().split("\n").at(-1) ?? "");
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
	const tail = output.trimEnd().split("\n").slice(-lastLines).join("\n");
	throw failed(id, `${commandLine(step)}: ${end}`, tail);
}

/** Programs find libraries by GEM_HOME. */
async function wrapGems(temporary: string, folder: string): Promise<void> {
	const names = await readdir(join(temporary, "gem-bin")).catch((): string[] => []);
	await mkdir(join(temporary, "bin"), { recursive: true });
	for (const name of names) {
		const home = shellWord(folder);
		const program = shellWord(join(folder, "gem-bin", name));
		const text = `#!/bin/sh\nGEM_HOME=${home} GEM_PATH=${home} exec ${program} "$@"\n`;
		await writeFile(join(temporary, "bin", name), text, { mode: 0o755 });
	}
}

/** A virtual environment's scripts begin with its path. */
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

function failed(id: string, why: string, output = ""): LspError {
	return new LspError("LSP_INSTALL_FAILED", `${id} was not installed: ${why}.${output ? `\n${output}` : ""}`, {
		language: id,
	});
}
