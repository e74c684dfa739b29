import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** What hosts hand to their hooks, in the form that they were seen to use (docs/agents.md). */
export interface Step {
	readonly event: string;
	readonly payload: Record<string, unknown>;
}

/** An edit of one file: what the host hands over before the write, the write, and what it hands over after it. */
export interface HostTalk {
	readonly name: string;
	/** Undefined if the payload after the call holds the old text. */
	beforeEdit?(edit: Replacement): Step;
	afterEdit(edit: Replacement, before: string): Step;
	beforeShell(command: string): Step;
	afterShell(command: string): Step;
	stop(isAgain: boolean): Step;
	/** What the model reads of an answer. */
	told(answer: Record<string, unknown>): string | undefined;
}

export interface Replacement {
	readonly cwd: string;
	/** Relative to it. */
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

let calls = 0;

function nested(answer: Record<string, unknown>): string | undefined {
	const { additionalContext } = (answer.hookSpecificOutput ?? {}) as { additionalContext?: string };
	return additionalContext ?? (answer.reason as string | undefined);
}

export function talks(cwd: string): HostTalk[] {
	const session = `session-${++calls}`;
	const claude = (event: string, more: object): Step => ({
		event,
		payload: { session_id: session, transcript_path: "/t", cwd, hook_event_name: event, ...more },
	});
	const shell = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: command });
	const common = {
		beforeShell: (command: string) => claude("PreToolUse", shell(command)),
		stop: (isAgain: boolean) => claude("Stop", { stop_hook_active: isAgain }),
		told: nested,
	};
	const patch = ({ file, from, to }: Replacement) => {
		const lines = (text: string, sign: string) => text.split("\n").map((line) => sign + line);
		return [
			`*** Begin Patch`,
			`*** Update File: ${file}`,
			"@@",
			...lines(from, "-"),
			...lines(to, "+"),
			"*** End Patch",
			"",
		].join("\n");
	};
	const patchCall = (edit: Replacement) => ({
		tool_name: "apply_patch",
		tool_input: { command: patch(edit) },
		tool_use_id: `call-${patch(edit)}`,
	});
	return [
		{
			...common,
			name: "claude-code",
			afterEdit: ({ file, from, to }, before) =>
				claude("PostToolUse", {
					tool_name: "Edit",
					tool_input: { file_path: resolve(cwd, file), old_string: from, new_string: to, replace_all: false },
					tool_response: {
						filePath: resolve(cwd, file),
						oldString: from,
						newString: to,
						originalFile: before,
						structuredPatch: [],
					},
					tool_use_id: `toolu_${++calls}`,
					duration_ms: 5,
				}),
			afterShell: (command) =>
				claude("PostToolUse", { ...shell(command), tool_response: { stdout: "", stderr: "", interrupted: false } }),
		},
		{
			...common,
			name: "codex",
			beforeEdit: (edit) => claude("PreToolUse", patchCall(edit)),
			afterEdit: (edit) =>
				claude("PostToolUse", { ...patchCall(edit), tool_response: `Exit code: 0\nM ${edit.file}\n` }),
			afterShell: (command) => claude("PostToolUse", { ...shell(command), tool_response: "" }),
		},
		{
			name: "gemini",
			afterEdit: ({ file, from, to }, before) => ({
				event: "AfterTool",
				payload: {
					session_id: session,
					cwd,
					hook_event_name: "AfterTool",
					timestamp: new Date().toISOString(),
					tool_name: "replace",
					tool_input: {
						file_path: resolve(cwd, file),
						instruction: "change",
						old_string: from,
						new_string: to,
					},
					tool_response: {
						llmContent: "Successfully modified file",
						returnDisplay: {
							filePath: resolve(cwd, file),
							originalContent: before,
							newContent: readFileSync(resolve(cwd, file), "utf8"),
							isNewFile: false,
						},
					},
				},
			}),
			beforeShell: (command) => geminiShell("BeforeTool", command),
			afterShell: (command) => geminiShell("AfterTool", command),
			stop: (isAgain) => ({
				event: "AfterAgent",
				payload: { session_id: session, cwd, hook_event_name: "AfterAgent", stop_hook_active: isAgain },
			}),
			told: nested,
		},
		{
			name: "copilot",
			beforeEdit: (edit) => copilotEdit("preToolUse", edit),
			afterEdit: (edit) => copilotEdit("postToolUse", edit),
			beforeShell: (command) => copilotShell("preToolUse", command),
			afterShell: (command) => copilotShell("postToolUse", command),
			stop: () => ({ event: "agentStop", payload: { sessionId: session, cwd, timestamp: 1, stopReason: "end_turn" } }),
			told: (answer) => (answer.additionalContext ?? answer.reason) as string | undefined,
		},
		{
			name: "opencode",
			afterEdit: ({ file, from, to }, before) =>
				opencodeCall("tool.execute.after", "edit", {
					tool_input: { filePath: resolve(cwd, file), oldString: from, newString: to },
					before,
				}),
			beforeShell: (command) => opencodeCall("tool.execute.before", "bash", { tool_input: { command } }),
			afterShell: (command) => opencodeCall("tool.execute.after", "bash", { tool_input: { command } }),
			stop: () => opencodeCall("session.idle", "", {}),
			told: (answer) => answer.output as string | undefined,
		},
	];
	function opencodeCall(event: string, tool: string, more: object): Step {
		const call = { session_id: session, tool_use_id: tool === "bash" ? JSON.stringify(more) : `call-${++calls}` };
		return { event, payload: { hook_event_name: event, cwd, tool_name: tool, ...call, ...more } };
	}
	function geminiShell(event: string, command: string): Step {
		const response = event === "AfterTool" ? { tool_response: { llmContent: "Output: (empty)" } } : {};
		return {
			event,
			payload: {
				session_id: session,
				cwd,
				hook_event_name: event,
				tool_name: "run_shell_command",
				tool_input: { command },
				...response,
			},
		};
	}
	function copilotEdit(event: string, { file, from, to }: Replacement): Step {
		const toolArgs = { path: resolve(cwd, file), old_str: from, new_str: to };
		const result =
			event === "postToolUse" ? { toolResult: { resultType: "success", textResultForLlm: "updated" } } : {};
		return { event, payload: { sessionId: session, timestamp: ++calls, cwd, toolName: "edit", toolArgs, ...result } };
	}
	function copilotShell(event: string, command: string): Step {
		const result = event === "postToolUse" ? { toolResult: { resultType: "success", textResultForLlm: "" } } : {};
		return {
			event,
			payload: { sessionId: session, timestamp: ++calls, cwd, toolName: "bash", toolArgs: { command }, ...result },
		};
	}
}
