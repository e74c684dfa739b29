import { resolve } from "node:path";
import { profiles } from "../../config/read-settings.ts";
import type { LspError } from "../../contract/errors.ts";
import { statOf } from "../../util/files.ts";
import { Audit } from "../audit/audit.ts";
import { callerConfig, callerFor } from "../cli/caller.ts";
import { commandMistake, parseCommand } from "../cli/parse-command.ts";
import { OperationCalls } from "../operation-calls.ts";
import { noneOf } from "../tools/option-mistake.ts";
import { type HttpOptions, httpArguments, httpOptions } from "./http-options.ts";
import { mcpServers } from "./server.ts";
import { logLevels, type McpOptions, McpSession } from "./session.ts";
import { serveStandardStreams } from "./stdio.ts";

interface McpArguments extends McpOptions {
	readonly http: HttpOptions | undefined;
	readonly daemon: boolean;
	readonly auditLog: string | undefined;
}

export async function serveMcp(args: readonly string[]): Promise<number> {
	const { daemon, auditLog, http, ...options } = await parse(args);
	const caller = await callerFor({ daemon, wait: false });
	const calls = new OperationCalls(caller, new Audit(auditLog));
	if (http) {
		const { serveOverHttp } = await import("./http.ts");
		await serveOverHttp(caller, options, calls, http);
	} else {
		const session = new McpSession(caller, { ...options, isChild: true }, calls);
		const profile = session.profile(await session.settings());
		await serveStandardStreams(mcpServers(session, profile), () => session.news);
		session.host?.end();
	}
	await calls.audit.close();
	await caller.close();
	return 0;
}

async function parse(args: readonly string[]): Promise<McpArguments> {
	const { values, positionals } = parseWords(args);
	const profile = profiles.find((name) => name === values.profile);
	if (values.profile !== undefined && !profile) throw mistake(`--profile ${noneOf(values.profile, profiles)}`);
	const cwd = values.cwd === undefined ? undefined : resolve(values.cwd);
	if (cwd !== undefined && !(await statOf(cwd))?.isDirectory())
		throw mistake(`--cwd ${values.cwd}: no such directory.`);
	// agent-lsp's `--config` drops its own servers, `--merge-config` keeps them; ours stay.
	const option = values["merge-config"] === undefined ? "config" : "merge-config";
	const file = values[option];
	if (option === "merge-config" && values.config !== undefined)
		throw mistake("--config and --merge-config are the same.");
	if (file !== undefined && !(await statOf(resolve(file)))?.isFile())
		throw mistake(`--${option} ${file}: no such file.`);
	return {
		logLevel: logLevels.find((level) => level === process.env.LOG_LEVEL?.toLowerCase()),
		...callerConfig(file, serversOf(positionals)),
		cwd,
		profile,
		structured: values.structured === true,
		http: await httpOptions(values, mistake),
		daemon: values["no-daemon"] !== true,
		auditLog: values["audit-log"],
	};
}

function parseWords(args: readonly string[]) {
	const options = {
		cwd: { type: "string" },
		profile: { type: "string" },
		structured: { type: "boolean" },
		config: { type: "string" },
		"merge-config": { type: "string" },
		"no-daemon": { type: "boolean" },
		"audit-log": { type: "string" },
		...httpArguments,
	} as const;
	const isForeign = (arg: string) => arg.startsWith("-") && !(arg.replace(/^--|=.*$/g, "") in options);
	const isPair = args.slice(0, 2).every((word) => /^[^-][^:]*$/.test(word));
	const foreign = isPair ? args.findIndex((arg, index) => index > 1 && isForeign(arg)) : -1;
	const own = foreign < 0 ? args : args.slice(0, foreign);
	const config = { args: [...own], options, allowPositionals: true } as const;
	const { values, positionals } = parseCommand("mcp", config, { profile: profiles });
	return { values, positionals: [...positionals, ...args.slice(own.length)] };
}

/** As agent-lsp: `go:gopls python:pylsp,-v`, or `go gopls [ARGUMENT…]`. */
function serversOf(words: readonly string[]): readonly string[] {
	const [language = "", program, ...more] = words;
	const pairs =
		program === undefined || language.includes(":") ? words : [[`${language}:${program}`, ...more].join(",")];
	const wrong = pairs.find((pair) => !/^[^:\s]+:[^,]+/.test(pair));
	if (wrong !== undefined) throw mistake(`"${wrong}" is not LANGUAGE:PROGRAM.`);
	return pairs;
}

function mistake(message: string): LspError {
	return commandMistake("mcp", message);
}
