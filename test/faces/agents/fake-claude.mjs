// The parts of Claude Code that `pi-lsp doctor --hosts` needs: one turn, a Write, and the hooks after it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

if (process.argv.includes("--version")) {
	console.log("2.0.0 (Claude Code)");
	process.exit(0);
}
const { hooks = {} } = JSON.parse(readFileSync(join(process.env.HOME, ".claude/settings.json"), "utf8"));
const ask = async (content) => {
	const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
		method: "POST",
		body: JSON.stringify({ model: "m", tools: [{ name: "Write" }], messages: [{ role: "user", content }] }),
	});
	return (await response.json()).content[0];
};

function fire(event, more) {
	const payload = { session_id: "s", cwd: process.cwd(), hook_event_name: event, ...more };
	return (hooks[event] ?? []).flatMap(({ matcher = ".*", hooks: handlers }) => {
		if (more.tool_name && !new RegExp(`^(?:${matcher})$`).test(more.tool_name)) return [];
		return handlers.map(({ command, timeout = 60 }) => {
			const { stdout } = spawnSync("/bin/sh", ["-c", command], {
				input: JSON.stringify(payload),
				encoding: "utf8",
				timeout: timeout * 1000,
			});
			return JSON.parse(stdout || "{}").hookSpecificOutput?.additionalContext ?? "";
		});
	});
}

const { name, input } = await ask("go");
const call = { tool_name: name, tool_input: input, tool_use_id: "toolu_1" };
fire("PreToolUse", call);
writeFileSync(input.file_path, input.content);
const output = fire("PostToolUse", { ...call, tool_response: { originalFile: null } });
await ask(`written ${output.join(" ")}`);
fire("Stop", {});
