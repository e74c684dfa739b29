import type { ExtensionAPI, ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { type Mode, type Preflight, type Profile, readSettings } from "../../config/read-settings.ts";
import type { CheckReport } from "../../contract/check-report.ts";
import { asLspError, type WriteCommand } from "../../contract/errors.ts";
import { addressOf } from "../../daemon/lifecycle/address.ts";
import { type DaemonClient, findDaemon } from "../../daemon/lifecycle/connect.ts";
import { stopDaemon } from "../../daemon/lifecycle/stop.ts";
import { check } from "../../operations/diagnostics.ts";
import { doctor } from "../../operations/doctor.ts";
import type { Status } from "../../operations/servers.ts";
import { type KnownServers, restart } from "../../operations/servers.ts";
import type { SkillPhase } from "../../operations/skill-phases.ts";
import { deactivateSkill, getSkillPhase } from "../../operations/skill-phases.ts";
import { undo } from "../../operations/undo.ts";
import { logLine } from "../../render/status/log.ts";
import { statusPanel, statusText } from "../../render/status/status.ts";
import { questionText, type TrustView, trustText } from "../../render/status/trust.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { OperationCalls } from "../operation-calls.ts";
import type { SkillBinding } from "../skills/skill-binding.ts";
import type { Words } from "../skills/words.ts";
import { noneOf } from "../tools/option-mistake.ts";
import { applyTrustVerb, trustVerbs } from "../trust.ts";
import { holdFiles } from "./hold-files.ts";
import { installFromPi } from "./install.ts";
import { showPanel } from "./panel.ts";
import { confirm, hasScreen, notify } from "./screen.ts";
import { modes } from "./session-options.ts";

interface SessionFacts {
	readonly isOff: boolean;
	readonly mode: Mode;
	readonly preflight: Preflight;
	readonly profile: Profile;
	readonly problems: readonly string[];
}

export interface Session {
	describe(cwd: string): Promise<SessionFacts>;
	setOff(off: boolean): void;
	setMode(mode: Mode): void;
	trusted(): void;
	readonly skills: { readonly binding: SkillBinding; readonly words: Words };
	readonly isOff: boolean;
	/** As of their last check, by displayed path. */
	readonly failing: readonly { readonly path: string; readonly errors: number }[];
	readonly failure: Error | undefined;
	connect(): Promise<unknown>;
	call<Result>(method: string, params: object): Promise<Result>;
}

interface Verb {
	readonly name: string;
	readonly description: string;
	complete?(): Promise<readonly string[]> | readonly string[];
	run(argument: string, ctx: ExtensionCommandContext): Promise<string>;
}

const promptCommands: Readonly<Record<string, string>> = {
	restart: "/lsp restart",
	doctor: "/lsp doctor",
	trust: "/lsp trust",
	"trust add": "/lsp trust add",
	"daemon logs": "/lsp log",
	"daemon start": "/lsp-restart",
	"daemon stop": "/lsp stop",
	"undo list": "/lsp undo list",
};

/** pi puts no `pi-lsp` on PATH. */
export function inPromptWords(text: string): string {
	return text.replace(/\bpi-lsp (install|restart|doctor|status|stop|trust|undo)\b/g, "/lsp $1");
}

export const atPrompt: WriteCommand = (command) =>
	promptCommands[command] && `\`${promptCommands[command]}\` at the person's prompt`;

const logLines = 20;
const nothingRuns = "No daemon is running; it starts with the first edit or question.";

const switchedOff = 'pi-lsp is switched off by the configuration ("lsp": false); a new session reads it again.';

export function registerLspCommand(pi: ExtensionAPI, session: Session): void {
	const verbs = verbsOf(session);
	pi.registerCommand("lsp", {
		description: `Language servers: ${verbs.map(({ name }) => name).join(", ")}`,
		getArgumentCompletions: (prefix) => complete(verbs, prefix),
		async handler(args, ctx) {
			const [word = hasScreen(ctx) ? "panel" : "status", ...rest] = args.trim().split(/\s+/).filter(Boolean);
			const verb = verbs.find(({ name }) => name === word);
			const names = verbs.map(({ name }) => name);
			if (!verb) notify(ctx, `/lsp: ${noneOf(word, names)}`, "warning");
			else await answer(ctx, () => verb.run(rest.join(" "), ctx));
		},
	});
	const register = (name: string, description: string, run: Verb["run"]) =>
		pi.registerCommand(name, {
			description,
			handler: (args, ctx) => answer(ctx, () => run(args.trim(), ctx)),
		});
	register("lsp-status", "Language servers: the same as /lsp status", (_, ctx) => showStatus(session, ctx));
	register("lsp-destroy", "Stop language servers: all, or the one named", stopServers);
	register("lsp-restart", "Stop the language server daemon and start it afresh", async () => {
		await stopDaemon();
		await session.connect();
		return "The daemon was started afresh.";
	});
}

function verbsOf(session: Session): readonly Verb[] {
	return [
		{
			name: "status",
			description: "What the language servers are doing",
			run: (_, ctx) => showStatus(session, ctx),
		},
		{
			name: "doctor",
			description: "What is there, what is missing or broken; with a file, what its servers do",
			run: (file, ctx) => examine(session, file, ctx),
		},
		{
			name: "install",
			description: "Install a server, or that of a language, into a folder of its own; says what it runs, and asks",
			complete: installable,
			run: installFromPi,
		},
		{
			name: "restart",
			description: "Stop servers; the next question starts them afresh",
			complete: serverIds,
			run: stopServers,
		},
		{
			name: "stop",
			description: "Stop the daemon and every server",
			async run() {
				const pid = await stopDaemon();
				return pid === undefined ? "No daemon was running." : `The daemon (pid ${pid}) has stopped with its servers.`;
			},
		},
		{
			name: "on",
			description: "Check files and offer tools again",
			async run() {
				if (session.isOff) return switchedOff;
				session.setOff(false);
				return "pi-lsp is on.";
			},
		},
		{
			name: "off",
			description: "No checks and no tools for the rest of this session",
			async run() {
				if (session.isOff) return switchedOff;
				session.setOff(true);
				return "pi-lsp is off for this session; /lsp on brings it back.";
			},
		},
		{
			name: "mode",
			description: "When to check: after each edit, once at the end of a turn, never",
			complete: () => modes,
			async run(argument, ctx) {
				if (session.isOff) return switchedOff;
				if (argument === "") {
					const { mode } = await session.describe(ctx.cwd);
					return `${mode}: ${modeWords[mode]} /lsp mode takes one of ${modes.join(", ")}.`;
				}
				const mode = modes.find((each) => each === argument);
				if (!mode) throw new Error(`/lsp mode: ${noneOf(argument, modes)}`);
				session.setMode(mode);
				return modeWords[mode];
			},
		},
		{
			name: "skill",
			description: "Which skill holds the model to its steps; off frees it",
			complete: () => ["off"],
			async run(argument) {
				const { binding, words } = session.skills;
				if (argument === "off") return deactivateSkill.render(binding.deactivate(), {});
				return getSkillPhase.render((await binding.answer("get_skill_phase", {}, words)) as SkillPhase, {});
			},
		},
		{
			name: "undo",
			description: "Take back what a tool of pi-lsp has written last, or the change that is named; list shows them",
			complete: () => ["list"],
			run: (argument, ctx) => takeBack(session, argument, ctx),
		},
		{
			name: "log",
			description: "The last lines of the daemon's log",
			async run() {
				const { log } = addressOf();
				const text = (await readText(log, anySource)) ?? "";
				const last = text.trimEnd().split("\n").slice(-logLines).map(logLine);
				return text ? `${log}\n${last.join("\n")}` : `${log} is empty.`;
			},
		},
		{
			name: "trust",
			description: "Whether what this repository brings may be run: show, add, remove",
			complete: () => trustVerbs,
			async run(argument, ctx) {
				const ask = (view: TrustView) => confirm(ctx, "Trust this repository?", questionText(view));
				const view = await applyTrustVerb(session, ctx.cwd, argument || "show", ask);
				if (argument === "add") session.trusted();
				return trustText(view);
			},
		},
		{
			name: "panel",
			description: "Servers, errors and settings of this session, driven by keys",
			run: (_, ctx) => openPanel(session, ctx),
		},
	];
}

const modeWords: Readonly<Record<Mode, string>> = {
	edit: "Files are checked after each edit.",
	turn: "Files are checked once, at the end of a turn.",
	off: "Files are not checked; the tools stay.",
};

/** Starts no daemon. */
async function withDaemon<T>(work: (client: DaemonClient) => Promise<T>, otherwise: T): Promise<T> {
	const client = await findDaemon();
	if (!client) return otherwise;
	try {
		return await work(client);
	} finally {
		client.close();
	}
}

async function showStatus(session: Session, ctx: ExtensionCommandContext): Promise<string> {
	if (session.isOff) return switchedOff;
	if (session.failure) throw session.failure;
	const render = hasScreen(ctx) ? statusPanel : statusText;
	const facts = await session.describe(ctx.cwd);
	const withoutDaemon = [nothingRuns, sessionText(facts), ...facts.problems].join("\n");
	return withDaemon(async (client) => {
		const [status, trust] = await Promise.all([
			client.call<Status>("status", { cwd: ctx.cwd, input: {} }),
			client.call<TrustView>("trust", { cwd: ctx.cwd }),
		]);
		const { problems } = status;
		const more = facts.problems.filter((problem) => !problems.includes(problem));
		return [render(status), sessionText(facts, trust), ...more].join("\n");
	}, withoutDaemon);
}

async function openPanel(session: Session, ctx: ExtensionCommandContext): Promise<string> {
	if (!ctx.hasUI || session.isOff || session.failure) return showStatus(session, ctx);
	const verbs = verbsOf(session);
	const read = <Result>(method: string) =>
		withDaemon<Result | undefined>((client) => client.call(method, { cwd: ctx.cwd, input: {} }), undefined);
	await showPanel(ctx, {
		status: () => read<Status>("status"),
		async session() {
			const [facts, trust] = await Promise.all([session.describe(ctx.cwd), read<TrustView>("trust")]);
			return { text: sessionText(facts, trust), isOff: facts.isOff };
		},
		failing: () => session.failing,
		async errorsIn(path) {
			const report = await session.call<CheckReport>("check", { cwd: ctx.cwd, input: { files: [path] } });
			return check.render(report, { files: [path] });
		},
		async run(name, argument = "") {
			const verb = verbs.find((each) => each.name === name);
			return (await outcomeOf(async () => (await verb?.run(argument, ctx)) ?? "")).text;
		},
	});
	return "";
}

function sessionText({ isOff, mode, preflight, profile }: SessionFacts, trust?: TrustView): string {
	const words = [
		isOff ? "off (/lsp on brings it back)" : modeWords[mode].replace(/\.$/, ""),
		preflight === "off" ? "" : `preflight ${preflight}`,
		`tools: ${profile}`,
		trust ? `the repository is ${trustWords[trust.state]}` : "",
	];
	return `This session: ${words.filter(Boolean).join("; ")}.`;
}

const trustWords: Readonly<Record<TrustView["state"], string>> = {
	trusted: "trusted",
	untrusted: "not trusted (/lsp trust shows what that keeps from running)",
	stale: "not trusted any more, since it has changed (/lsp trust shows what)",
	refused: "refused (/lsp trust add allows it)",
};

const refusals = new Set([
	"LSP_INVALID_INPUT",
	"LSP_UNDO_BLOCKED",
	"LSP_EDIT_REFUSED",
	"LSP_FILE_CHANGED",
	"LSP_WRITE_FAILED",
]);

async function takeBack(session: Session, argument: string, ctx: ExtensionCommandContext): Promise<string> {
	const input = argument === "list" ? { list: true } : argument ? { id: argument } : {};
	const calls = new OperationCalls({ call: (method, params) => session.call(method, params) });
	const call = { tool: "/lsp undo", args: input, about: { cwd: ctx.cwd }, hold: holdFiles(ctx.cwd) };
	try {
		return undo.render((await calls.run(call, (request) => request("undo", input))) as never, input);
	} catch (thrown) {
		const { code, message } = asLspError(thrown);
		throw refusals.has(code) ? new Error(message, { cause: thrown }) : thrown;
	} finally {
		await calls.audit.close();
	}
}

async function examine(session: Session, file: string, ctx: ExtensionCommandContext): Promise<string> {
	await session.connect();
	const params = { cwd: ctx.cwd, input: file ? { file } : {} };
	return withDaemon(async (client) => doctor.render(await client.call("doctor", params), {}), nothingRuns);
}

async function stopServers(server: string, ctx: ExtensionCommandContext): Promise<string> {
	const params = { cwd: ctx.cwd, input: server ? { server } : {} };
	return withDaemon(async (client) => restart.render(await client.call("restart", params), params.input), nothingRuns);
}

async function serverIds(): Promise<readonly string[]> {
	const status = await withDaemon<Status | undefined>(
		(client) => client.call("status", { cwd: "/", input: {} }),
		undefined,
	).catch(() => undefined);
	return [...new Set(status?.servers.map(({ id }) => id))];
}

async function complete(verbs: readonly Verb[], typed: string) {
	const [word = "", argument] = typed.trimStart().split(/\s+(.*)/s);
	if (argument === undefined) {
		const found = verbs.filter(({ name }) => name.startsWith(word));
		return found.map(({ name, description }) => ({ value: name, label: name, description }));
	}
	const values = (await verbs.find(({ name }) => name === word)?.complete?.()) ?? [];
	const [, before = "", last = ""] = /^(.*\s)?(\S*)$/s.exec(argument) ?? [];
	const found = values.filter((value) => value.startsWith(last));
	return found.map((value) => ({ value: `${word} ${before}${value}`, label: value }));
}

async function installable(): Promise<readonly string[]> {
	const found = await withDaemon<KnownServers | undefined>(
		(client) => client.call("servers", { cwd: process.cwd(), input: {} }),
		undefined,
	).catch(() => undefined);
	const ids = found
		? found.servers.filter(({ condition }) => condition === "missing").map(({ id }) => id)
		: (await readSettings("/", { withoutTrust: true })).servers.map(({ id }) => id);
	return [...ids, "--list", "--update", "--remove", "--dry-run"];
}

async function answer(ctx: ExtensionCommandContext, work: () => Promise<string>): Promise<void> {
	const { text, kind } = await outcomeOf(work);
	if (text !== "") notify(ctx, text, kind);
}

async function outcomeOf(
	work: () => Promise<string>,
): Promise<{ readonly text: string; readonly kind: "info" | "warning" | "error" }> {
	try {
		return { text: inPromptWords(await work()), kind: "info" };
	} catch (thrown) {
		const { code, message } = asLspError(thrown);
		const isUnavailable = code.startsWith("LSP_DAEMON_") || code === "LSP_CONNECTION_LOST";
		if (isUnavailable) return { text: `LSP unavailable: ${message}`, kind: "error" };
		return { text: inPromptWords(message), kind: "warning" };
	}
}
