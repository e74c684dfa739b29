import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Workspace } from "../../support/workspace.ts";

/**
 * The payloads that hosts give to their hooks: recorded ones of Claude Code, Codex, Gemini CLI, Copilot CLI and
 * opencode (docs/agents.md), and documented ones of Cursor, VS Code, Antigravity and Cline.
 */
export interface Step {
	readonly event: string;
	readonly payload: Record<string, unknown>;
}

/** An edit of one file: the host's payload before the write, the write, and the payload after it. */
export interface HostTalk {
	readonly name: string;
	/** Undefined if the payload after the call holds the old text. */
	beforeEdit?(edit: Replacement): Step;
	afterEdit(edit: Replacement, before: string): Step;
	beforeShell(command: string): Step;
	afterShell(command: string): Step;
	/** The next event whose answer the model reads, for a host whose model reads none after an edit. */
	beforeModel?(): Step;
	stop(isAgain: boolean): Step;
	/** The text of an answer that the model reads. */
	modelText(answer: Record<string, unknown>): string | undefined;
}

export interface Replacement {
	readonly cwd: string;
	/** The file relative to `cwd`. */
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

let calls = 0;

function nested(answer: Record<string, unknown>): string | undefined {
	const { additionalContext } = (answer.hookSpecificOutput ?? {}) as { additionalContext?: string };
	return additionalContext ?? (answer.reason as string | undefined);
}

/** The payloads of one host, all of one session. */
export function talk({ root }: Pick<Workspace, "root">, name: string): HostTalk {
	return talks(root).find((each) => each.name === name) as HostTalk;
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
		modelText: nested,
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
			modelText: nested,
		},
		{
			name: "copilot",
			beforeEdit: (edit) => copilotEdit("preToolUse", edit),
			afterEdit: (edit) => copilotEdit("postToolUse", edit),
			beforeShell: (command) => copilotShell("preToolUse", command),
			afterShell: (command) => copilotShell("postToolUse", command),
			stop: () => ({ event: "agentStop", payload: { sessionId: session, cwd, timestamp: 1, stopReason: "end_turn" } }),
			modelText: (answer) => (answer.additionalContext ?? answer.reason) as string | undefined,
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
			modelText: (answer) => answer.output as string | undefined,
		},
		{
			name: "cursor",
			beforeEdit: (edit) => cursorCall("preToolUse", "Write", cursorEdit(edit)),
			// For some edits the payload has the path alone.
			afterEdit: ({ cwd: root, file }) =>
				cursorCall("postToolUse", "Write", { tool_input: { file_path: resolve(root, file) }, tool_output: "{}" }),
			beforeShell: (command) => cursorCall("preToolUse", "Shell", { tool_input: { command } }),
			afterShell: (command) =>
				cursorCall("postToolUse", "Shell", { tool_input: { command }, tool_output: "", duration: 5 }),
			stop: (isAgain) => cursorEvent("stop", { status: "completed", loop_count: isAgain ? 1 : 0 }),
			modelText: (answer) => (answer.additional_context ?? answer.followup_message) as string | undefined,
		},
		{
			name: "vscode",
			beforeEdit: (edit) => vscodeCall("PreToolUse", vscodeEdit(edit)),
			afterEdit: (edit) => vscodeCall("PostToolUse", { ...vscodeEdit(edit), tool_response: "edited" }),
			beforeShell: (command) => vscodeCall("PreToolUse", vscodeShell(command)),
			afterShell: (command) => vscodeCall("PostToolUse", { ...vscodeShell(command), tool_response: "" }),
			stop: (isAgain) => vscodeCall("Stop", { stop_hook_active: isAgain }),
			modelText(answer) {
				const { additionalContext, reason } = (answer.hookSpecificOutput ?? {}) as Record<string, string | undefined>;
				return additionalContext ?? reason;
			},
		},
		{
			name: "antigravity",
			afterEdit: ({ file, from, to }) =>
				antigravityCall("replace_file_content", {
					TargetFile: resolve(cwd, file),
					TargetContent: from,
					ReplacementContent: to,
					AllowMultiple: false,
				}),
			beforeShell: () => antigravityEvent("PreInvocation", { invocationNum: 1, initialNumSteps: 2 }),
			afterShell: (command) => antigravityCall("run_command", { CommandLine: command, Cwd: cwd }),
			beforeModel: () => antigravityEvent("PreInvocation", { invocationNum: 2, initialNumSteps: 4 }),
			stop: () => antigravityEvent("Stop", { executionNum: 1, terminationReason: "model_stop", fullyIdle: true }),
			modelText({ injectSteps, reason }) {
				const [step] = (injectSteps ?? []) as readonly { readonly userMessage?: string }[];
				return step?.userMessage ?? (reason as string | undefined);
			},
		},
		{
			name: "cline",
			beforeEdit: (edit) => clineCall("PreToolUse", "replace_in_file", clineEdit(edit)),
			afterEdit: (edit) => clineCall("PostToolUse", "replace_in_file", clineEdit(edit)),
			beforeShell: (command) => clineCall("PreToolUse", "execute_command", { command, requires_approval: "false" }),
			afterShell: (command) => clineCall("PostToolUse", "execute_command", { command, requires_approval: "false" }),
			stop: () => clineEvent("TaskResume", { taskResume: {} }),
			modelText: (answer) => answer.contextModification as string | undefined,
		},
	];
	function cursorEvent(event: string, more: object): Step {
		const common = {
			conversation_id: session,
			generation_id: "g",
			hook_event_name: event,
			cursor_version: "3.7.21",
			workspace_roots: [cwd],
		};
		return { event, payload: { ...common, ...more } };
	}
	function cursorCall(event: string, tool: string, more: object): Step {
		// One call at a time: both events of it have its id.
		const id = event === "preToolUse" ? ++calls : calls;
		return cursorEvent(event, { tool_name: tool, tool_use_id: `toolu_${id}`, cwd, ...more });
	}
	function cursorEdit({ file, from, to }: Replacement) {
		const content = readFileSync(resolve(cwd, file), "utf8").replace(from, to);
		return { tool_input: { file_path: resolve(cwd, file), content } };
	}
	function vscodeCall(event: string, more: object): Step {
		const common = { timestamp: new Date().toISOString(), cwd, sessionId: session, hookEventName: event };
		const id = event === "PreToolUse" ? ++calls : calls;
		return { event, payload: { ...common, transcript_path: "/t.json", tool_use_id: `tool-${id}`, ...more } };
	}
	function vscodeEdit({ file, from, to }: Replacement) {
		const filePath = resolve(cwd, file);
		return { tool_name: "replace_string_in_file", tool_input: { filePath, oldString: from, newString: to } };
	}
	function vscodeShell(command: string) {
		return { tool_name: "run_in_terminal", tool_input: { command, explanation: "e", isBackground: false } };
	}
	function antigravityEvent(event: string, more: object): Step {
		const common = { conversationId: session, workspacePaths: [cwd], transcriptPath: "/t.jsonl", modelName: "m" };
		return { event, payload: { ...common, artifactDirectoryPath: "/a", ...more } };
	}
	function antigravityCall(name: string, args: object): Step {
		return antigravityEvent("PostToolUse", { stepIdx: ++calls, error: "", toolCall: { name, args } });
	}
	function clineEvent(event: string, more: object): Step {
		const common = { clineVersion: "3.36.0", hookName: event, timestamp: "1", taskId: session, userId: "u" };
		return { event, payload: { ...common, workspaceRoots: [cwd], ...more } };
	}
	function clineCall(event: string, toolName: string, parameters: object): Step {
		const about = { toolName, parameters };
		return event === "PreToolUse"
			? clineEvent(event, { preToolUse: about })
			: clineEvent(event, { postToolUse: { ...about, result: "", success: true, executionTimeMs: 5 } });
	}
	function clineEdit({ file, from, to }: Replacement) {
		return { path: file, diff: `------- SEARCH\n${from}\n=======\n${to}\n+++++++ REPLACE` };
	}
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
