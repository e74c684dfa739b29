import { hookSeconds } from "./host.ts";

/**
 * It asks before an edit only while a skill is active, and throws only to refuse a call: after one a throw would
 * replace the result.
 */
export function opencodePlugin(command: readonly string[]): string {
	return `// Written by \`pi-lsp init\`; \`pi-lsp uninstall\` removes it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

const [program, ...args] = ${JSON.stringify([...command, "hook", "opencode"])};
const limitMs = ${hookSeconds * 1000};
const maxLength = 5_000_000;
const edits = new Set(["edit", "multiedit", "write"]);
const others = new Set(["apply_patch", "patch", "bash"]);
const textsBefore = new Map();
const notices = new Map();
const skill = join(process.env.XDG_STATE_HOME || join(homedir(), ".local/state"), "pi-lsp/skill");

let helper;
let asked = 0;

/** One process for all events, as long as this one runs; the next event starts another if it has ended. */
function begin() {
	const child = spawn(program, [...args, "--lines"], { stdio: ["pipe", "pipe", "ignore"] });
	const waiting = new Map();
	const own = { child, waiting };
	const end = () => {
		if (helper === own) helper = undefined;
		for (const answered of [...waiting.values()]) answered({});
	};
	let rest = "";
	child.stdout.setEncoding("utf8");
	child.stdout.on("data", (text) => {
		const lines = (rest + text).split("\\n");
		rest = lines.pop();
		for (const line of lines) {
			const at = line.indexOf(" ");
			waiting.get(line.slice(0, at))?.(answerIn(line.slice(at + 1)));
		}
	});
	child.stdin.on("error", () => {});
	child.on("error", end);
	child.on("close", end);
	child.unref();
	return own;
}

function answerIn(text) {
	try {
		return JSON.parse(text);
	} catch {
		return {};
	}
}

function ask(cwd, payload) {
	return new Promise((done) => {
		helper ??= begin();
		const { child, waiting } = helper;
		const id = String(++asked);
		const timer = setTimeout(() => child.kill(), limitMs);
		waiting.set(id, (answer) => {
			clearTimeout(timer);
			waiting.delete(id);
			done(answer);
		});
		child.stdin.write(id + " " + JSON.stringify({ cwd, ...payload }) + "\\n");
	});
}

async function textOf(path) {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		return error.code === "ENOENT" ? null : undefined;
	}
}

export const PiLsp = async ({ client, directory }) => ({
	"tool.execute.before": async ({ tool, sessionID, callID }, { args: input }) => {
		if (edits.has(tool) && typeof input?.filePath === "string") {
			const before_at = Date.now();
			const before = await textOf(resolve(directory, input.filePath));
			if (before === null || before?.length <= maxLength) textsBefore.set(callID, { before, before_at });
			if (!existsSync(skill)) return;
		} else if (!others.has(tool)) return;
		const call = { session_id: sessionID, tool_use_id: callID, tool_name: tool, tool_input: input };
		const { refusal } = await ask(directory, { hook_event_name: "tool.execute.before", ...call });
		if (refusal) throw new Error(refusal);
	},
	"tool.execute.after": async ({ tool, sessionID, callID, args: input }, output) => {
		const known = textsBefore.get(callID);
		textsBefore.delete(callID);
		if (!edits.has(tool) && !others.has(tool)) return;
		const call = { session_id: sessionID, tool_use_id: callID, tool_name: tool, tool_input: input, ...known };
		const { output: text, notice } = await ask(directory, { hook_event_name: "tool.execute.after", ...call });
		if (text) output.output += "\\n\\n" + text;
		if (notice) notices.set(sessionID, notice);
	},
	event: async ({ event }) => {
		const session = event.properties?.info?.id ?? event.properties?.sessionID;
		if (event.type === "session.idle" && notices.has(session)) {
			const message = notices.get(session);
			notices.delete(session);
			await client.tui.showToast({ body: { message, variant: "warning" } }).catch(() => {});
		}
		if (event.type !== "session.deleted") return;
		await ask(directory, { hook_event_name: "session.deleted", session_id: session });
	},
});
`;
}
