import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ServerConfig } from "../../server.ts";
import { LanguageServer } from "../../src/lsp/server.ts";
import type { LaunchCommand } from "../../src/process/server-process.ts";
import type { Route } from "../../src/routing/locate.ts";
import { expectNoProcesses, RUN_MARK } from "../support/processes.ts";
import type { Entry, Script } from "./script.ts";

/** The fake server's own program. */
export const FAKE_SERVER: string = fileURLToPath(new URL("fake-server.mjs", import.meta.url));

/** A directory with a fake language server for it. */
export interface Fake {
	readonly root: string;
	/** The mark of every process that is started here. */
	readonly runId: string;
	readonly env: Readonly<Record<string, string>>;
	readonly config: ServerConfig;
	readonly launch: LaunchCommand;
	readonly route: Route;
	/** The log of the pool and the server. */
	readonly log: string[];
	write(file: string, text: string): string;
	/** Sets another script for the servers that are started from now on. */
	script(script: Script): void;
	/** Starts one server with the script. */
	start(): Promise<LanguageServer>;
	/** The messages that the servers of this directory got, and their actions. */
	record(): Entry[];
	/** The messages of one method that reached a server. */
	received(method: string): NonNullable<Entry["got"]>[];
	/** The number of servers that were started. */
	starts(): number;
}

/** Runs a test with a fake server; at its end every process of it must have exited. */
export async function withFake<T>(
	script: Script,
	body: (fake: Fake) => Promise<T>,
	config: Partial<ServerConfig> = {},
): Promise<T> {
	const base = realpathSync(mkdtempSync("/tmp/pl-fake-"));
	const started: LanguageServer[] = [];
	const fake = createFake(base, script, config, started);
	try {
		const value = await body(fake);
		for (const server of started) server.kill();
		await expectNoProcesses(fake.runId);
		return value;
	} catch (error) {
		if (error instanceof Error)
			error.message += `\n\nThe fake's record:\n${fake.record().map(describeEntry).join("\n")}`;
		for (const server of started) server.kill();
		await expectNoProcesses(fake.runId).catch(() => undefined);
		throw error;
	} finally {
		rmSync(base, { recursive: true, force: true, maxRetries: 3 });
	}
}

function createFake(base: string, script: Script, over: Partial<ServerConfig>, started: LanguageServer[]): Fake {
	const root = join(base, "ws");
	mkdirSync(root);
	const runId = randomUUID();
	const record = join(base, "record");
	const scriptFile = join(base, "script.json");
	const prepare = (next: Script) => writeFileSync(scriptFile, JSON.stringify({ record, ...next }));
	prepare(script);
	const env = { PATH: process.env.PATH ?? "", [RUN_MARK]: runId };
	const config: ServerConfig = {
		id: "fake",
		match: ["fake"],
		command: process.execPath,
		args: [FAKE_SERVER, scriptFile],
		rootMarkers: [],
		looseFiles: true,
		languageId: "fake",
		...over,
	};
	const launch = { file: config.command, args: config.args, cwd: root, env };
	const log: string[] = [];
	const entries = (): Entry[] =>
		existsSync(record) ? readFileSync(record, "utf8").split("\n").filter(Boolean).map(parsed) : [];
	return {
		root,
		runId,
		env,
		config,
		launch,
		log,
		route: { config, root, languageId: "fake" },
		write(file, text) {
			mkdirSync(dirname(join(root, file)), { recursive: true });
			writeFileSync(join(root, file), text);
			return join(root, file);
		},
		script: prepare,
		async start() {
			const events = {
				stderr: () => {},
				log: (event: string, facts?: object) => void log.push(`${event} ${JSON.stringify(facts ?? {})}`),
				exited: () => {},
			};
			const server = await LanguageServer.start({ config, root, launch, events });
			started.push(server);
			return server;
		},
		record: entries,
		received: (method) => entries().flatMap(({ got }) => (got?.method === method ? [got] : [])),
		starts: () => entries().filter(({ did }) => did === "start").length,
	};
}

function parsed(line: string): Entry {
	return JSON.parse(line) as Entry;
}

function describeEntry(entry: Entry): string {
	return JSON.stringify(entry).slice(0, 300);
}
