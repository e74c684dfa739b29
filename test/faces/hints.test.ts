import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { type Profile, profiles } from "../../src/config/read-settings.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { type ErrorCode, errorCodes, LspError, withHintFor } from "../../src/contract/errors.ts";
import { commands } from "../../src/faces/cli/commands.ts";
import { writeCommand } from "../../src/faces/cli/help.ts";
import { mcpServers } from "../../src/faces/mcp/server.ts";
import { McpSession } from "../../src/faces/mcp/session.ts";
import { inPromptWords, registerLspCommand } from "../../src/faces/pi/lsp-command.ts";
import { Screen } from "../../src/faces/pi/screen.ts";
import { Tools } from "../../src/faces/pi/tools.ts";
import { TurnMemory } from "../../src/faces/pi/turn-memory.ts";
import { operations } from "../../src/operations/index.ts";
import { REPOSITORY } from "../support/repository.ts";
import { textOf } from "./mcp/client.ts";

/** The text of a failure for an agent, and the names of its tools. */
interface Shown {
	readonly text: string;
	readonly offered: readonly string[];
}

type Face = (profile: Profile, answer: () => Promise<unknown>) => Promise<Shown>;

interface RegisteredTool {
	readonly name: string;
	execute(...given: unknown[]): Promise<{ readonly content: readonly { readonly text: string }[] }>;
}

/** Calls a tool of a profile, also one that the profile does not list. */
const overMcp: Face = async (profile, answer) => {
	const caller = { call: answer, close: async () => {} } as Caller;
	const session = new McpSession(caller, { cwd: "/", profile, structured: false });
	const server = mcpServers(session, profile)({ era: "legacy" });
	const client = new Client({ name: "test", version: "1" });
	const [one, other] = InMemoryTransport.createLinkedPair();
	const send = one.send.bind(one);
	// The schemas have symbols next to their names, which a pipe drops.
	one.send = (message, options) => send(JSON.parse(JSON.stringify(message)), options);
	await Promise.all([server.connect(one), client.connect(other)]);
	try {
		const offered = (await client.listTools()).tools.map(({ name }) => name);
		const [name, given] = callOf(profile);
		const result = await client.callTool({ name, arguments: given });
		const about = result._meta?.["pi-lsp/error"];
		return { text: `${textOf(result as never)}\n${JSON.stringify(about)}`, offered };
	} finally {
		await client.close();
	}
};

/** The same in pi, whose tools are called as pi calls them. */
const inPi: Face = async (profile, answer) => {
	const tools = new Map<string, RegisteredTool>();
	let offered: string[] = [];
	const pi = {
		registerTool(tool: RegisteredTool) {
			tools.set(tool.name, tool);
			offered = [...new Set([...offered, tool.name])];
		},
		getActiveTools: () => offered,
		setActiveTools: (names: string[]) => {
			offered = names;
		},
	} as unknown as ExtensionAPI;
	const link = { call: answer } as never;
	const own = new Tools(pi, link, new Screen(link), new TurnMemory());
	own.choose(profile, true);
	const [name, given] = callOf(profile);
	const ctx = { cwd: "/", hasUI: false };
	const text = await tools
		.get(name)
		?.execute("1", given, undefined, undefined, ctx)
		.then(
			({ content }) => content.map((part) => part.text).join("\n"),
			({ message }: Error) => message,
		);
	return { text: text ?? "", offered };
};

/** A call of one of a profile's tools. */
function callOf(profile: Profile): [string, Record<string, unknown>] {
	const at = { file_path: "/a.ts", line: 1, column: 1 };
	if (profile === "sah") return ["lsp", { operation: "hover", ...at }];
	if (profile === "llxprt") return ["lsp_document_symbols", { filePath: "/a.ts" }];
	if (profile === "agent-lsp") return ["get_document_symbols", { file_path: "/a.ts" }];
	return ["lsp_hover", { file: "a.ts", symbol: "a" }];
}

const faces: Readonly<Record<string, Face>> = { "over MCP": overMcp, "in pi": inPi };

const commandNames = [...operations.map(({ name }) => name), ...Object.keys(commands)];
const commandLines = new RegExp(`pi-lsp (?:--|(?:${commandNames.join("|")})\\b)[^\`.]*`, "g");

/** Words that only a command line takes. The hint marks text that a person types as for their terminal. */
function commandLineWords(text: string): string[] {
	const own = text.replace(/`pi-lsp [^`]+` in the person's terminal/g, "");
	return [
		...(own.match(commandLines) ?? []),
		...(own.match(/--[a-z][\w-]*|run the command|the command again|\{\{.*?\}\}/gi) ?? []),
	];
}

/** The verbs of `/lsp`, as pi completes them. */
async function verbsOfPi(): Promise<readonly string[]> {
	type Complete = (typed: string) => Promise<readonly { readonly value: string }[]>;
	let complete: Complete | undefined;
	const pi = {
		registerCommand(name: string, command: { readonly getArgumentCompletions?: Complete }) {
			if (name === "lsp") complete = command.getArgumentCompletions;
		},
	} as unknown as ExtensionAPI;
	registerLspCommand(pi, {} as never);
	return ((await complete?.("")) ?? []).map(({ value }) => value);
}

const failing = (code: ErrorCode) => () => Promise.reject(new LspError(code, "It failed."));

describe.each(Object.entries(faces))("the hint of an error that an agent reads %s", (_, face) => {
	test.each(profiles)("has no words of the command line, whatever the code, in profile %s", async (profile) => {
		for (const code of errorCodes) {
			const { text, offered } = await face(profile, failing(code));
			expect(text).toContain(code);
			expect.soft(commandLineWords(text), `${code}: ${text}`).toEqual([]);
			const named = text.match(/\b(?:lsp_\w+|get_\w+|restart_lsp_server)\b/g) ?? [];
			const unknown = named.filter((name) => !offered.includes(name));
			expect.soft(unknown, `${code}: ${text}`).toEqual([]);
		}
	});

	test("has no words of the command line either if the error stands within an answer", async () => {
		const error = new LspError("LSP_SYMBOL_NOT_FOUND", "It is not there.").toJSON();
		const { text } = await face("core", async () => ({ several: [{ asked: "a", error }] }));
		expect(text).toContain("It is not there.\nCheck the spelling of the name. `lsp_symbols` lists");
	});

	test.each([
		["core", "`lsp_symbols`"],
		["all", "`lsp_symbols`"],
		["llxprt", "`lsp_document_symbols`"],
		["agent-lsp", "`get_document_symbols`"],
	] as const)("names the tool that profile %s offers for an operation", async (profile, name) => {
		expect((await face(profile, failing("LSP_SYMBOL_NOT_FOUND"))).text).toContain(name);
	});

	test("leaves the sentence about an operation out if no tool does it", async () => {
		const { text } = await face("sah", failing("LSP_SYMBOL_NOT_FOUND"));
		expect(text).toContain('"suggestion":"Check the spelling of the name."');
	});

	test.each([
		["core", '`lsp {"operation":"undo","input":{"list":true}}` shows'],
		["all", '`lsp_undo {"list":true}` shows'],
	] as const)("names an operation with a field as profile %s takes it", async (profile, hint) => {
		const suggestion = "See it. {{undo list}} shows what can be taken back.";
		const { text } = await face(profile, () =>
			Promise.reject(new LspError("LSP_INVALID_INPUT", "No.", { suggestion })),
		);
		expect(text).toContain(`${hint} what can be taken back.`);
	});

	test("names the call of the generic tool for an operation without a tool of its own", async () => {
		const { text } = await face("core", failing("LSP_PREREQUISITE_MISSING"));
		expect(text).toContain('`lsp {"operation":"restart"}`');
	});
});

describe("a command that no tool carries out", () => {
	const hint = async (face: Face, profile: Profile) =>
		(await face(profile, failing("LSP_PREREQUISITE_MISSING"))).text.split("\n")[1];

	test("is for the user's terminal over MCP", async () => {
		expect(await hint(overMcp, "llxprt")).toBe(
			"Install what is missing, then use `pi-lsp restart` in the person's terminal.",
		);
	});

	test("is for the user's prompt in pi if the model is offered no tool that controls servers", async () => {
		expect(await hint(inPi, "all")).toBe("Install what is missing, then use `/lsp restart` at the person's prompt.");
	});
});

describe("the hint of an error on the command line", () => {
	test.each(errorCodes)("%s has commands of the shell only", (code) => {
		const hint = withHintFor(new LspError(code, "It failed."), writeCommand).details.suggestion ?? "";
		expect(hint).toMatch(/\w/);
		expect(hint).not.toMatch(/\blsp_|\/lsp|\btools?\b|the person's|\{\{/);
	});

	test("names an operation with the arguments that it needs", () => {
		const error = withHintFor(new LspError("LSP_SYMBOL_NOT_FOUND", "It failed."), writeCommand);
		expect(error.details.suggestion).toContain("`pi-lsp symbols FILE`");
	});
});

describe("the hints in the source", () => {
	const root = join(REPOSITORY, "src");
	const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
	const hints = files.flatMap((file) => {
		const literals = readFileSync(join(root, file), "utf8").matchAll(
			/suggestion\w*\s*[:=]\s*(["'`])((?:\\.|(?!\1).)*)\1/gis,
		);
		return [...literals].map(([, , hint = ""]) => ({ file, hint: hint.replaceAll("\\`", "`") }));
	});

	test("name commands that exist", () => {
		const known = [...commandNames, "usage", "help", "--no-daemon", "--timeout"];
		const catalogue = errorCodes.map((code) => new LspError(code, "It failed.").details.suggestion ?? "");
		const named = [...catalogue, ...hints.map(({ hint }) => hint)]
			.flatMap((hint) => [...hint.matchAll(/\{\{(.*?)\}\}/g)])
			.map(([, command = ""]) => command);
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter((command) => !known.includes(command.split(" ")[0] ?? ""))).toEqual([]);
	});

	test("all other texts name commands of the shell and verbs of pi's prompt that exist", async () => {
		const named = (pattern: RegExp) =>
			files.flatMap((file) => {
				const text = readFileSync(join(root, file), "utf8").replaceAll("\\`", "`");
				return [...text.matchAll(pattern)].map(([, name = ""]) => ({ file, name }));
			});
		const inShell = named(/(?:`|\bit: |\bis now: |\ball the same: )pi-lsp ([a-z_]+)/g);
		expect(inShell.length).toBeGreaterThan(20);
		// Sentences that begin so.
		const about = ["checked", "is", "knows", "trusts"];
		expect(inShell.filter(({ name }) => ![...commandNames, ...about].includes(name))).toEqual([]);
		const verbs = await verbsOfPi();
		const atPrompt = named(/[`"'( ]\/lsp ([a-z]+)/g);
		expect(atPrompt.length).toBeGreaterThan(10);
		expect(atPrompt.filter(({ name }) => !verbs.includes(name))).toEqual([]);
	});

	test("are for pi's prompt if a person reads them there", async () => {
		const shown = inPromptWords(
			"Install it: pi-lsp install gopls, or see `pi-lsp doctor`; `pi-lsp trust add`. pi-lsp is on.",
		);
		expect(shown).toBe("Install it: /lsp install gopls, or see `/lsp doctor`; `/lsp trust add`. pi-lsp is on.");
		const verbs = await verbsOfPi();
		for (const verb of verbs) expect(verbs).toContain(inPromptWords(`pi-lsp ${verb}`).split(" ")[1]);
	});

	test("are in the words of the command line only if the command line alone shows them", () => {
		expect(hints.length).toBeGreaterThan(15);
		const wrong = hints.filter(({ hint }) => commandLineWords(hint.replace(/\{\{.*?\}\}/g, "")).length > 0);
		const elsewhere = wrong.filter(({ file, hint }) => !file.startsWith("faces/cli/") && !/in a terminal/.test(hint));
		expect(elsewhere).toEqual([]);
	});
});
