import { claudeCode } from "./claude-code.ts";
import type { Host } from "./event.ts";

/** VS Code's own agent; its events have the names of Claude Code's, its tools are its own. */
export const vscode: Host = {
	read: claudeCode.read,
	write(text, { phase, name }) {
		if (phase !== "stop")
			// Copilot CLI reads the same file of hooks, and takes the outer form after a call.
			return { additionalContext: text, hookSpecificOutput: { hookEventName: name, additionalContext: text } };
		const decision = { decision: "block", reason: text };
		return name === "Stop" ? { hookSpecificOutput: { hookEventName: name, ...decision } } : decision;
	},
	refuse: claudeCode.refuse,
	limit: claudeCode.limit,
};
