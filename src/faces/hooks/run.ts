import { isAbsolute } from "node:path";
import type { AgentEventParams, AgentEventResult } from "../../contract/agent-event.ts";
import { LspError } from "../../contract/errors.ts";
import { connectDaemon, type DaemonClient, findDaemon } from "../../daemon/lifecycle/connect.ts";
import { childEnvironment } from "../../process/environment.ts";
import { harmless } from "../../render/harmless.ts";
import { timeoutInSteps, waitOrAbort } from "../../util/abort.ts";
import { isObject } from "../../util/objects.ts";
import { filesOf } from "../agent-files.ts";
import { echo, wantsEcho } from "../hook-echo.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode, codex } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { type Host, type HostCall, type HostEvent, ownId, wholeSessionOf } from "./event.ts";
import { gemini } from "./gemini.ts";
import { limitText } from "./limit-text.ts";
import { opencode } from "./opencode.ts";
import { ownValue, type Payload, textAt } from "./payload.ts";
import { Unreached } from "./unreached.ts";
import { vscode } from "./vscode.ts";

const hosts: Readonly<Record<string, Host>> = {
	"claude-code": claudeCode,
	codex,
	copilot,
	gemini,
	opencode,
	cursor,
	vscode,
	antigravity,
	cline,
};

/** Until a running daemon greets. */
const reachMs = 300;
const startMs = 3_000;
/** Of a hook's 30 s (docs/agents.md), less a second and this process. */
const answerMs = 25_000;

let hasAskedDaemon = false;

/** For util/code-cache.ts. */
export function isWorthCaching(): boolean {
	return hasAskedDaemon;
}

/** Never rejects; `{}` means nothing. */
export async function answerEvent(hostName: string, name: string | undefined, input: string): Promise<string> {
	try {
		const host = ownValue(hosts, hostName);
		const payload: unknown = JSON.parse(input);
		if (!host || !isObject(payload)) return "{}";
		const file = wantsEcho();
		if (file === undefined && process.env.PI_LSP === "0") return "{}";
		const event = host.read(payload, name);
		if (file !== undefined) {
			const text = echo(file, hostName, event, textAt(payload, "hook_event_name") ?? name ?? "");
			return event && text !== undefined ? JSON.stringify(host.write(text, event, payload)) : "{}";
		}
		if (!event) return "{}";
		const repeatedBy = ownId(payload) === undefined ? hostName : undefined;
		const answer = await ask(event, repeatedBy, host.isMute?.(event));
		const { text, refusal } = answer === "unreached" ? {} : (answer ?? {});
		if (refusal) return JSON.stringify(host.refuse(limitText(harmless(refusal), host.limit), event));
		if (text) return JSON.stringify(host.write(limitText(harmless(text), host.limit), event, payload));
		return JSON.stringify(noticeOf(host, event, payload, answer === "unreached") ?? {});
	} catch {
		return "{}";
	}
}

function noticeOf(host: Host, event: HostEvent, payload: Payload, isUnreached: boolean): object | undefined {
	if (!host.notice) return undefined;
	const session = new Unreached(wholeSessionOf(payload) ?? event.session);
	if (isUnreached && event.phase === "after" && event.call?.isError === false) session.note();
	const shows = host.notice("", event) !== undefined;
	const line = shows ? session.takeLine() : undefined;
	if (event.phase === "end") session.forget();
	return line === undefined ? undefined : host.notice(line, event);
}

async function ask(
	event: HostEvent,
	repeatedBy: string | undefined,
	isMute = false,
): Promise<AgentEventResult | "unreached" | undefined> {
	const { phase, session, call } = event;
	if (call && call.kind !== "command" && call.files.length === 0) return undefined;
	const cwd = event.cwd !== undefined && isAbsolute(event.cwd) ? event.cwd : process.cwd();
	const files = call ? await filesOf(call, phase, cwd) : [];
	const mayStart = files.length > 0;
	const client = await reach(mayStart).catch(() => "unreached" as const);
	if (client === "unreached" || !client) return client;
	try {
		const about = call && {
			...callIn(call, phase),
			files,
			at: call.at ?? Date.now(),
			...(repeatedBy === undefined ? {} : { repeatedBy }),
		};
		const params: AgentEventParams = {
			cwd,
			session,
			phase,
			pid: process.pid,
			...(isMute ? { isMute } : {}),
			env: childEnvironment(process.env),
			...(about ? { call: about } : {}),
		};
		const result = await within(answerMs, client.call<AgentEventResult>("agent_event", params));
		hasAskedDaemon = result !== undefined;
		return result ?? "unreached";
	} catch (error) {
		if (error instanceof LspError && /^LSP_(?:DAEMON_|CONNECTION_LOST)/.test(error.code)) return "unreached";
		throw error;
	} finally {
		client.close();
	}
}

function callIn({ id, tool, kind, isError, command, input }: HostCall, phase: HostEvent["phase"]) {
	const about = { id, tool, kind, isError };
	if (phase !== "before") return about;
	return kind === "command" ? { ...about, ...(command === undefined ? {} : { command }) } : { ...about, input };
}

/** Undefined if no daemon runs or may start. Rejects if none greets in time. */
async function reach(mayStart: boolean): Promise<DaemonClient | "unreached" | undefined> {
	const found = await waitOrAbort(findDaemon(), timeoutInSteps(reachMs));
	if (found || !mayStart) return found;
	return (await within(startMs, connectDaemon())) ?? "unreached";
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), ms);
	});
	return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
