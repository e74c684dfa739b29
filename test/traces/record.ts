/**
 * `node scripts/run-ts.mjs test/traces/record.ts [SERVER…]` starts each installed server of the live tests in a
 * hostile tree, under strace, and writes what it ran, wrote and requested by itself into recorded.json next to this
 * file. A server that waits for trust is trusted here, since its programs are the subject. Only named servers are
 * recorded anew; without strace, or without the server, it is skipped by name.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { servers } from "../../server.ts";
import type { Language } from "../live/cases/language.ts";
import { findProgram, folder, languages, missingFor, withServers } from "../live/languages.ts";
import { versionOf } from "../live/versions.ts";
import { REPOSITORY } from "../support/repository.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { hostileFiles } from "./hostile.ts";
import { type Recorded, summarise } from "./summary.ts";

const answerMs = 120_000;
const calls = "execve,openat,open,creat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat";
const file = join(REPOSITORY, "test/traces/recorded.json");

const asked = process.argv.slice(2);
const unknown = asked.filter((id) => !languages.some(({ server }) => server === id));
if (unknown.length > 0) throw new Error(`no live case: ${unknown.join(", ")}`);
if (spawnSync("strace", ["-V"]).error) {
	console.log("skipped: strace is not installed");
	process.exit(0);
}
const recorded = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Recorded>) : {};
for (const language of languages) {
	const { server } = language;
	if (asked.length > 0 && !asked.includes(server)) continue;
	const missing = missingFor(language);
	if (missing !== undefined) {
		console.log(`${server}: skipped, ${missing} is not installed`);
		continue;
	}
	try {
		recorded[server] = await record(language);
		console.log(`${server}: ${JSON.stringify(recorded[server])}`);
		write();
	} catch (error) {
		console.log(`${server}: FAILED, ${error instanceof Error ? error.message.slice(0, 2_000) : error}`);
	}
}

function write(): void {
	const inOrder = languages.flatMap(({ server }) => (recorded[server] ? [[server, recorded[server]] as const] : []));
	writeFileSync(file, JSON.stringify(Object.fromEntries(inOrder)));
	execFileSync(join(REPOSITORY, "node_modules/.bin/biome"), ["format", "--write", file], { stdio: "ignore" });
}

/** Has a server checked and queried about its file in a hostile tree, and returns its actions. */
async function record(language: Language): Promise<Recorded> {
	const { server, project, packages = [], program, file: edited, wrong, right } = language;
	const config = servers.find(({ id }) => id === server);
	const trusted = config?.runsRepositoryCode === true;
	// The file is outside of the workspace, which is removed before it is read.
	const out = realpathSync(mkdtempSync(join(tmpdir(), "pi-lsp-trace-")));
	try {
		const files = { ...project, [edited]: wrong, ...hostileFiles(server) };
		return await withWorkspace(files, async (ws) => {
			for (const name of Object.keys(files)) if (/\.sh$|\/bin\/|\.bin\//.test(name)) chmodSync(ws.path(name), 0o755);
			for (const name of packages) {
				mkdirSync(ws.path("node_modules"), { recursive: true });
				symlinkSync(join(folder, "node_modules", name), ws.path("node_modules", name));
			}
			const traced = traceOf(ws, program ?? bundledProgram(server), out, program === undefined ? server : undefined);
			const known = withServers(ws.env);
			const env = {
				...known,
				...(trusted ? { PI_LSP_TRUST: "1", RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup") } : {}),
				CARGO_NET_OFFLINE: "true",
				PATH: [dirname(traced), known.PATH].join(delimiter),
			};
			const { stdout } = await ws.cli(["check", edited, "--json", "--timeout", `${answerMs}`], {
				env,
				timeoutMs: answerMs + 15_000,
			});
			const report = JSON.parse(stdout) as { servers: { id: string; version?: string; state: string }[] };
			const own = report.servers.find(({ id }) => id === server);
			if (!own) throw new Error(`it was not asked: ${stdout}`);
			// Some look closer at what has no error.
			if (hostileFiles(server)[edited] === undefined) {
				ws.write(edited, right);
				await ws.cli(["check", edited, "--timeout", `${answerMs}`], { env, timeoutMs: answerMs + 15_000 });
			}
			const last = `${wrong.trimEnd().split("\n").length}`;
			for (const question of ["hover", "completion"])
				await ws.cli([question, edited, `${last}:3`], { env, timeoutMs: answerMs }).catch(() => undefined);
			await ws.cli(["stop"], { env, timeoutMs: 30_000 });
			const { root, base } = ws;
			return {
				version: versionOf(own.version, program) ?? "not reported",
				trusted,
				...summarise(readFileSync(join(out, "trace"), "utf8"), { root, base, own: [folder, REPOSITORY, homedir()] }),
			};
		});
	} finally {
		rmSync(out, { recursive: true, force: true });
	}
}

/** The command of a bundled server. */
function bundledProgram(server: string): string {
	const modules = join(REPOSITORY, "node_modules");
	if (server === "typescript") {
		const native = join(modules, `@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`);
		return existsSync(native) ? native : join(modules, "typescript/bin/tsc");
	}
	return join(modules, "typescript-language-server/lib/cli.mjs");
}

/** A program that starts the server under strace: on PATH, or for a bundled one in the user's configuration. */
function traceOf(ws: Workspace, program: string, out: string, configured: string | undefined): string {
	const real = program.startsWith("/") ? program : findProgram(program);
	const wrapper = join(ws.base, "bin", program.replace(/.*\//, ""));
	mkdirSync(dirname(wrapper), { recursive: true });
	writeFileSync(
		wrapper,
		`#!/bin/sh\nexec strace -f -y -qq -s 400 -e trace=${calls} -A -o ${out}/trace "${real}" "$@"\n`,
	);
	chmodSync(wrapper, 0o755);
	if (configured === undefined) return wrapper;
	const directory = join(ws.base, "config/pi-lsp");
	mkdirSync(directory, { recursive: true });
	writeFileSync(join(directory, "config.json"), JSON.stringify({ servers: { [configured]: { command: wrapper } } }));
	return wrapper;
}
