import { profiles, readSettings } from "../../config/read-settings.ts";
import { dataWithHintsFor, LspError } from "../../contract/errors.ts";
import { addressOf } from "../../daemon/lifecycle/address.ts";
import { connectDaemon, findDaemon } from "../../daemon/lifecycle/connect.ts";
import { operations } from "../../operations/index.ts";
import type { Status } from "../../operations/servers.ts";
import { status } from "../../operations/servers.ts";
import { didYouMean } from "../../render/nearest-names.ts";
import { logLine } from "../../render/status/log.ts";
import { topTable } from "../../render/status/top.ts";
import { pause } from "../../util/abort.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { OperationCalls } from "../operation-calls.ts";
import { hostWords } from "../skills/words.ts";
import { noneOf } from "../tools/option-mistake.ts";
import { addedOperations } from "./added.ts";
import { auditCommand } from "./audit.ts";
import { callerFor } from "./caller.ts";
import { writeCommand } from "./help.ts";
import { print, printJson, printJsonText, printOver } from "./print.ts";
import { runOperation } from "./run-operation.ts";
import { stopCommand } from "./stop.ts";
import { trustCommand } from "./trust.ts";
import { showWaiting } from "./waiting-line.ts";

export interface Command {
	readonly usage: string;
	readonly summary: string;
	readonly namesServers?: boolean;
	/** By option and value: `profile core|all`. */
	readonly options?: Readonly<Record<string, string>>;
	run(args: readonly string[]): Promise<number>;
}

export const commands: Readonly<Record<string, Command>> = {
	stop: {
		usage: "",
		options: { yes: "Those of other workspaces too" },
		summary: "Stop the daemon and all its servers",
		run: stopCommand,
	},
	daemon: { usage: "start|status|stop|logs", summary: "The background process", run: daemon },
	trust: {
		usage: "show|add|remove",
		options: { yes: "Do not ask" },
		summary: "Whether what this repository brings may be run, and what that is",
		run: trustCommand,
	},
	audit: {
		usage: "",
		summary: "The calls that were recorded, the last ones",
		options: {
			"audit-log FILE": "The log (default: where this environment's calls are recorded)",
			"limit N": "How many",
		},
		run: auditCommand,
	},
	top: { usage: "", summary: "What costs what and what each server does, live", run: top },
	install: {
		usage: "ID[@VERSION]|LANGUAGE…",
		namesServers: true,
		options: {
			yes: "Do not ask",
			"dry-run": "Say what would be run, and run nothing",
			list: "What it has installed: version, size, folder, and for what another version was tested by now",
			update: "Install the tested version of those named, or of all, again",
			remove: "Remove those named",
			"with npm|pip|go|cargo|gem": "By this package manager, where a server has several",
		},
		summary:
			"Install servers into folders of their own, in the versions that were tested; says first what it runs, and asks",
		run: async (args) => (await import("./install/install.ts")).installServers(args),
	},
	init: {
		usage: "[HOST…]",
		summary:
			"Set up coding agents (claude-code, codex, gemini, copilot, opencode, cursor, vscode, antigravity, cline; default: those that are here): hooks, MCP server, permissions, skills; shows each change, and asks",
		options: {
			yes: "Do not ask",
			"dry-run": "Only show",
			user: "In the person's own configuration (default)",
			project: "In the files of this project, for all who work on it",
			"hooks-only": "Only the errors after each edit",
			"mcp-only": "Only the tools, with permission for those that change nothing, and the skills",
		},
		run: async (args) => (await import("./agents/init.ts")).initCommand(args),
	},
	uninstall: {
		usage: "[HOST…]",
		summary: "Take out again what `init` has written, and say what is left",
		options: {
			yes: "Do not ask",
			"dry-run": "Only show",
			purge: "Caches and installed servers too",
		},
		run: async (args) => (await import("./agents/uninstall.ts")).uninstallCommand(args),
	},
	update: {
		usage: "",
		summary:
			"Bring pi-lsp and what `init` has written up to date: the newest version, the way this one was installed, then the agents' entries; shows each change, and asks",
		options: {
			check: "Only show; exit code 0: nothing to do, 1: something, 3: the newest version is not known",
			force: "Entries of ours that were changed by hand too",
			entries: "Only the agents' entries",
			yes: "Do not ask",
		},
		run: async (args) => (await import("./agents/update.ts")).updateCommand(args),
	},
	skills: {
		usage: "list|show|install",
		summary:
			"How to do a piece of work with these tools: `show NAME`, or install all into DIR (default: ~/.claude/skills)",
		options: {
			copy: "Copies instead of links",
			force: "Replace those that are there",
			[`words ${hostWords.join("|")}`]: "Whose words the calls are in (default: shell); others than shell are copied",
		},
		run: async (args) => (await import("./skills.ts")).skillsCommand(args),
	},
	mcp: {
		usage: "[LANGUAGE:PROGRAM…]",
		summary: "An MCP server on standard input and output or over HTTP, for any other agent",
		options: {
			"cwd DIR": "The working directory; without it the client's first root",
			[`profile ${profiles.join("|")}`]: "Which tools are offered (default: as configured, else core)",
			structured: "Results as data too, with output schemas",
			http: "Streamable HTTP at /mcp; the token is read from PI_LSP_TOKEN",
			"port N": "Where it listens (default: 8080; 0: any that is free)",
			"listen-addr IP": "Default: 127.0.0.1",
			"token-file FILE": "Instead of PI_LSP_TOKEN",
			"no-auth": "No token; on a loopback address only",
			"allow-host NAME": "A name besides localhost by which clients reach it; may be repeated",
			"tls-cert FILE": "With --tls-key FILE: https",
			"config FILE": "A configuration over all others, ours or agent-lsp's",
			"merge-config FILE": "The same, as agent-lsp calls it",
			"no-daemon": "No background process",
			"audit-log FILE": "One JSON line for each call (else PI_LSP_AUDIT_LOG; on under profile agent-lsp)",
		},
		run: async (args) => (await import("../mcp/start.ts")).serveMcp(args),
	},
	"lsp-server": {
		usage: "",
		summary: "A language server on standard input and output, for editors and for agents with an LSP client",
		options: {
			"severity error|warning|info|hint": "The least that is reported (default: info)",
			"config FILE": "A configuration over all others",
			"no-daemon": "No background process",
			stdio: "Nothing else: many hosts start every language server with it",
		},
		run: async (args) => (await import("../lsp/main.ts")).serveLsp(args),
	},
	hook: {
		usage: "HOST [EVENT]",
		summary:
			"What a hook of another agent calls: claude-code, codex, copilot, gemini, opencode, cursor, vscode, antigravity, cline; the event is on standard input",
		run: async () => {
			throw new LspError("LSP_INVALID_INPUT", "hook: HOST is missing.");
		},
	},
	completions: {
		usage: "bash|zsh|fish",
		summary: "A script that completes commands and options in a shell",
		run: async ([shell = ""]) => {
			const { completionScript } = await import("./completions.ts");
			const { servers } = await readSettings("/", { withoutTrust: true });
			const ids = servers.map(({ id }) => id);
			return print(completionScript(shell, commands, ids, await addedOperations()).trimEnd());
		},
	},
	lsp: {
		usage: "FILE COMMAND [JSON]",
		summary: "An operation, or any LSP request about a file, with its parameters as JSON",
		run: request,
	},
};

async function daemon([verb = "status", ...rest]: readonly string[]): Promise<number> {
	switch (verb) {
		case "start": {
			const client = await showWaiting("starting the daemon", () => connectDaemon());
			client.close();
			return print(`The daemon is running on ${addressOf().socket}.`);
		}
		case "status":
			return runOperation(status, rest);
		case "stop":
			return stopCommand(rest);
		case "logs": {
			const { log } = addressOf();
			const text = await readText(log, anySource);
			if (text === undefined) return print("There is no log yet.");
			for (const line of text.trimEnd().split("\n"))
				if (rest.includes("--json")) printJsonText(line);
				else print(logLine(line));
			return 0;
		}
		default:
			throw new LspError("LSP_INVALID_INPUT", `daemon: ${noneOf(verb, ["start", "status", "stop", "logs"])}`);
	}
}

async function top(args: readonly string[]): Promise<number> {
	const client = await findDaemon();
	if (!client) return print("The daemon is not running.");
	const read = () => client.call<Status>("status", { cwd: process.cwd(), input: {} });
	let ended = false;
	process.once("SIGINT", () => {
		ended = true;
	});
	try {
		if (args.includes("--json")) return printJson(await read());
		let before = await read();
		for (let at = Date.now(); !ended; ) {
			await pause(1000);
			const now = await read();
			const table = topTable(now, before, Date.now() - at);
			at = Date.now();
			before = now;
			if (!process.stdout.isTTY) return print(table);
			printOver(`${table}\n\nCtrl-C ends.`);
		}
		return 0;
	} finally {
		client.close();
	}
}

/** `npm run lsp -- FILE COMMAND '{"line":3}'`: with a slash, COMMAND is an LSP method. */
async function request(args: readonly string[]): Promise<number> {
	const [file, command, text = "{}"] = args.filter((arg) => !["--no-daemon", "--json"].includes(arg));
	if (file === "daemon") return daemon(args.slice(1));
	if (!file || !command) throw new LspError("LSP_INVALID_INPUT", "lsp: FILE and COMMAND are missing.");
	const params = parseJson(text);
	const operation = operations.find(({ name }) => name === command);
	if (!operation && !command.includes("/"))
		throw new LspError(
			"LSP_UNKNOWN_OPERATION",
			`"${command}" is neither an operation nor an LSP method.${didYouMean(
				command,
				operations.map(({ name }) => name),
			)}`,
		);
	const caller = await callerFor({ daemon: !args.includes("--no-daemon") });
	const calls = new OperationCalls(caller);
	try {
		const cwd = process.cwd();
		const field = operation?.positional?.[0] ?? "file";
		const input = { [field]: field === "files" ? [file] : file, ...params };
		const output = operation
			? await calls.run({ tool: operation.name, args: input, about: { cwd } }, (ask) => ask(operation.name, input))
			: await caller.call("request", { cwd, file, method: command, params });
		return printJson(dataWithHintsFor(output, writeCommand));
	} finally {
		await calls.audit.close();
		await caller.close();
	}
}

function parseJson(text: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	} catch {
		// The error follows below.
	}
	throw new LspError("LSP_INVALID_INPUT", `lsp: not a JSON object: ${text}`);
}
