import { claudeCode } from "./claude-code.ts";
import type { Host } from "./event.ts";

export const vscode: Host = {
	read: claudeCode.read,
	write(text, { phase, name }) {
		// Copilot CLI reads the outer form, as VS Code does at a subagent's end.
		const answer = phase === "stop" ? { decision: "block", reason: text } : { additionalContext: text };
		return { ...answer, hookSpecificOutput: { hookEventName: name, ...answer } };
	},
	refuse: claudeCode.refuse,
	notice: (line, event) => claudeCode.notice?.(line, event),
	limit: claudeCode.limit,
};
