import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { daemonOf, daemonsOf } from "../../daemon/daemon.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { type HostTalk, type Replacement, type Step, talk } from "./payloads.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	".git/HEAD": "ref: refs/heads/main\n",
	"src/a.ts": "export function area(w: number): number {\n\treturn w * w;\n}\n",
	"src/b.ts": 'import { area } from "./a.ts";\nexport const b = area(2);\n',
	"src/c.ts": 'export const c: string = "c";\n',
};

/** Runs the hook as a host does, and checks the contract: exit code 0, one object, nothing on standard error. */
async function hook(ws: Workspace, host: string, { event, payload }: Step, name?: string) {
	const args = ["hook", host, ...(name === undefined ? [] : [name])];
	const { code, stdout, stderr } = await ws.cli(args, { input: JSON.stringify(payload) });
	expect([code, stderr], event).toEqual([0, ""]);
	return JSON.parse(stdout) as Record<string, unknown>;
}

/** Makes an edit as a host does, and resolves with the text that the model reads. */
async function edit(ws: Workspace, host: HostTalk, change: Omit<Replacement, "cwd">): Promise<string | undefined> {
	const whole = { cwd: ws.root, ...change };
	const before = ws.read(change.file);
	const first = host.beforeEdit?.(whole);
	if (first) expect(await hook(ws, host.name, first, first.event)).toEqual({});
	ws.write(change.file, before.replace(change.from, change.to));
	return textAfter(ws, host, host.afterEdit(whole, before));
}

async function textAfter(ws: Workspace, host: HostTalk, after: Step): Promise<string | undefined> {
	const answer = await hook(ws, host.name, after, after.event);
	const next = host.beforeModel?.();
	if (!next) return host.modelText(answer);
	expect(answer).toEqual({});
	return host.modelText(await hook(ws, host.name, next, next.event));
}

async function shell(ws: Workspace, host: HostTalk, command: string): Promise<string | undefined> {
	const before = host.beforeShell(command);
	await hook(ws, host.name, before, before.event);
	execFileSync("sh", ["-c", command], { cwd: ws.root });
	return textAfter(ws, host, host.afterShell(command));
}

const names = ["claude-code", "codex", "gemini", "copilot", "opencode", "cursor", "vscode", "antigravity", "cline"];
/** These hosts call no hook at the end of a turn, so all errors have to be known at once. */
const withoutStop = ["opencode", "cline"];
const patient = { ...project, ".pi-lsp.json": '{ "graceMs": 20000 }' };

test.each(names)(
	"%s: an edit's errors are in its own answer, those of an importer are named, and a fixed file is silent",
	(name) =>
		withWorkspace(withoutStop.includes(name) ? patient : project, async (ws) => {
			const host = talk(ws, name);
			const wrong = { file: "src/c.ts", from: '"c"', to: "1" };
			for (let round = 0; round < 2; round++) {
				const text = await edit(ws, host, wrong);
				expect(text).toContain("Type 'number' is not assignable to type 'string'. (ts2322)");
				expect(text).toContain("1 error is new with this edit");
				expect(await edit(ws, host, { file: "src/c.ts", from: "1", to: '"c"' })).toBeUndefined();
			}
			const text = await edit(ws, host, { file: "src/a.ts", from: "w: number", to: "w: string" });
			const late = host.modelText(await hook(ws, name, host.stop(false), host.stop(false).event));
			expect(text).toContain("src/a.ts");
			expect(`${text}\n${late}`).toContain("src/b.ts");
			const again = host.modelText(await hook(ws, name, host.stop(true), host.stop(true).event));
			expect(again).toBeUndefined();
		}),
);

test.each([
	["TypeScript 7", {}],
	// The server could declare the function as well.
	["TypeScript 5.9", { "package.json": '{ "type": "module", "devDependencies": { "typescript": "5.9.3" } }' }],
])(
	"%s: an error offers the fix that its server prefers, by a name that one call applies while the file stays the same",
	(_, more) =>
		withWorkspace({ ...project, ...more, "src/use.ts": "export const two = 2;\n" }, async (ws) => {
			const host = talk(ws, "claude-code");
			const wrong = { file: "src/use.ts", from: "2;", to: "area(2);" };
			// A server that names its fix too late gets another request.
			const name = await until("the fix is offered", async () => {
				const text = await edit(ws, host, wrong);
				const [, offered] = /<\/diagnostics>\nfix (f\d+): Add import from "\.\/a(?:\.ts)?"/.exec(text ?? "") ?? [];
				if (offered !== undefined) return met(offered);
				ws.write("src/use.ts", "export const two = 2;\n");
				return notYet(text ?? "nothing");
			});
			const broken = ws.read("src/use.ts");
			// The offered position has changed.
			ws.write("src/use.ts", `\n${broken}`);
			const stale = await ws.cli(["fix", name]);
			expect([stale.code, stale.stderr]).toEqual([
				2,
				expect.stringMatching(/^LSP_FILE_CHANGED: src\/use\.ts has changed/),
			]);
			expect(ws.read("src/use.ts")).toBe(`\n${broken}`);
			ws.write("src/use.ts", broken);
			const { code, stdout } = await ws.cli(["fix", name]);
			expect(stdout).toContain("Checked: nothing new is wrong.");
			expect([code, ws.read("src/use.ts")]).toEqual([0, expect.stringContaining("import { area }")]);
			const gone = await ws.cli(["fix", "f0"]);
			expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("There is no fix f0 any more.")]);
			// A setting omits the line; the suggestion stays.
			ws.write("src/use.ts", "export const two = 2;\n");
			ws.write(".pi-lsp.json", `{ "fixHandles": false, "declarations": false }`);
			const plain = await edit(ws, host, wrong);
			expect(plain).toContain("try: add import");
			expect(plain).not.toMatch(/^fix f/m);
		}),
);

test.each(names)("%s: errors that a shell command caused are reported", (name) =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, name);
		// No event before the command can start a server, or read the files that it names.
		if (host.beforeModel) await edit(ws, host, { file: "src/c.ts", from: "export", to: "\nexport" });
		const text = await shell(ws, host, "sed -i 's/\"c\"/1/' src/c.ts");
		expect(text).toContain("The command changed 1 file.");
		expect(text).toContain("(ts2322)");
		expect(await shell(ws, host, "cat src/c.ts")).toBeUndefined();
	}),
);

test("a call that two hosts' hooks report is answered once, until the session ends", () =>
	withWorkspace(project, async (ws) => {
		const host = talk(ws, "claude-code");
		ws.write("src/c.ts", "export const c: string = 1;\n");
		const change = { cwd: ws.root, file: "src/c.ts", from: '"c"', to: "1" };
		const step = host.afterEdit(change, project["src/c.ts"]);
		expect(host.modelText(await hook(ws, "claude-code", step))).toContain("(ts2322)");
		expect(await hook(ws, "codex", step)).toEqual({});
		const { session_id, cwd } = step.payload;
		const end = { event: "SessionEnd", payload: { session_id, cwd, hook_event_name: "SessionEnd", reason: "exit" } };
		expect(await hook(ws, "claude-code", end)).toEqual({});
		expect(host.modelText(await hook(ws, "claude-code", step))).toContain("(ts2322)");
	}));

test("a failed edit is answered with nothing", () =>
	withWorkspace({ ...project, "src/c.ts": "export const c: string = 1;\n" }, async (ws) => {
		const change = { cwd: ws.root, file: "src/c.ts", from: "zzz", to: "1" };
		const gemini = talk(ws, "gemini").afterEdit(change, "");
		const failed = {
			...gemini,
			payload: { ...gemini.payload, tool_response: { error: { message: "0 occurrences" } } },
		};
		expect(await hook(ws, "gemini", failed)).toEqual({});
		const copilot = talk(ws, "copilot").afterEdit(change, "");
		const refused = { ...copilot, payload: { ...copilot.payload, toolResult: { resultType: "failure" } } };
		expect(await hook(ws, "copilot", refused, "postToolUse")).toEqual({});
	}));

test("all files of a patch are judged together, also those that it deletes and moves", () =>
	withWorkspace(
		{
			...project,
			"src/d.ts": "export const d = 1;\n",
			"src/e.ts": 'import { d } from "./d.ts";\nexport const e = d;\n',
		},
		async (ws) => {
			const command = [
				"*** Begin Patch",
				"*** Update File: src/c.ts",
				"@@",
				'-export const c: string = "c";',
				"+export const c: string = 1;",
				"*** Add File: src/new.ts",
				"+export const n: number = true;",
				"*** Delete File: src/d.ts",
				"*** End Patch",
				"",
			].join("\n");
			const payload = {
				session_id: "s",
				cwd: ws.root,
				tool_name: "apply_patch",
				tool_input: { command },
				tool_use_id: "call_1",
			};
			await hook(ws, "codex", { event: "PreToolUse", payload: { ...payload, hook_event_name: "PreToolUse" } });
			ws.write("src/c.ts", "export const c: string = 1;\n");
			ws.write("src/new.ts", "export const n: number = true;\n");
			rmSync(ws.path("src/d.ts"));
			const after = { ...payload, hook_event_name: "PostToolUse", tool_response: "Exit code: 0" };
			const answer = await hook(ws, "codex", { event: "PostToolUse", payload: after });
			const stop = { session_id: "s", cwd: ws.root, hook_event_name: "Stop", stop_hook_active: false };
			const late = await hook(ws, "codex", { event: "Stop", payload: stop });
			const text = JSON.stringify([answer, late]);
			expect(text).toContain("About the patch of call_1: ");
			for (const part of ['src/c.ts\\"', 'src/new.ts\\"', 'src/e.ts\\"', "(ts2307)"]) expect(text).toContain(part);
		},
	));

test("a daemon that does not answer is not waited for", () =>
	withWorkspace(project, async (ws) => {
		await ws.cli(["daemon", "start"]);
		const { pid } = daemonOf(ws);
		process.kill(pid, "SIGSTOP");
		try {
			const change = { cwd: ws.root, file: "src/c.ts", from: '"c"', to: "1" };
			expect(await hook(ws, "claude-code", talk(ws, "claude-code").afterEdit(change, ""))).toEqual({});
		} finally {
			process.kill(pid, "SIGCONT");
		}
	}));

test("an edit's file is judged by the server that the command line uses, with the caller's environment", () =>
	withWorkspace(project, async (ws) => {
		const text = await edit(ws, talk(ws, "claude-code"), { file: "src/c.ts", from: '"c"', to: "1" });
		expect(text).toContain("(ts2322)");
		expect((await ws.cli(["check", "src/c.ts"])).stdout).toContain("(ts2322)");
		const { servers } = JSON.parse((await ws.cli(["status", "--json"])).stdout) as { readonly servers: unknown[] };
		expect(servers).toHaveLength(1);
	}));

test("PI_LSP=0 switches the hook off", () =>
	withWorkspace({ ...project, "src/c.ts": "export const c: string = 1;\n" }, async (ws) => {
		const step = talk(ws, "claude-code").afterEdit({ cwd: ws.root, file: "src/c.ts", from: '"c"', to: "1" }, "");
		const input = JSON.stringify(step.payload);
		const { stdout } = await ws.cli(["hook", "claude-code"], { input, env: { ...ws.env, PI_LSP: "0" } });
		expect([stdout, daemonsOf(ws)]).toEqual(["{}\n", []]);
	}));

test("Antigravity's edits are compared with the text that they replaced, also if their arguments are JSON", () =>
	withWorkspace(
		{
			...project,
			".pi-lsp.json": '{ "graceMs": 20000 }',
			"src/old.ts": "export const old: string = 1;\nexport const x = 2;\n",
		},
		async (ws) => {
			const host = talk(ws, "antigravity");
			const change = { cwd: ws.root, file: "src/old.ts", from: "x = 2", to: 'x: number = "2"' };
			ws.write(change.file, ws.read(change.file).replace(change.from, change.to));
			const step = host.afterEdit(change, "");
			const { name, args } = step.payload.toolCall as { readonly name: string; readonly args: object };
			const asJson = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, JSON.stringify(value)]));
			const text = await textAfter(ws, host, {
				...step,
				payload: { ...step.payload, toolCall: { name, args: asJson } },
			});
			expect(text).toContain("Type 'string' is not assignable to type 'number'. (ts2322)");
			expect(text).toContain("1 error is new with this edit");
			const failed = { ...step, payload: { ...step.payload, stepIdx: 9_000, error: "not found" } };
			expect(await textAfter(ws, host, failed)).toBeUndefined();
			const without = { ...step, payload: { ...step.payload, stepIdx: 9_001, toolCall: null } };
			expect(await textAfter(ws, host, without)).toBeUndefined();
		},
	));

test("VS Code's edit of several files is judged once and whole, also by the hooks of Claude Code and Copilot", () =>
	withWorkspace({ ...project, ".pi-lsp.json": '{ "graceMs": 20000 }' }, async (ws) => {
		const [first, second] = ["src/b.ts", "src/c.ts"].map((file) => ws.path(file));
		const replacements = [
			{ filePath: first, oldString: "area(2)", newString: 'area("2")' },
			{ filePath: second, oldString: '"c"', newString: "1" },
		];
		const about = { tool_name: "multi_replace_string_in_file", tool_input: { explanation: "e", replacements } };
		const call = (event: string) => {
			const { payload } = talk(ws, "vscode").stop(false);
			return { event, payload: { ...payload, sessionId: "s", hookEventName: event, tool_use_id: "t", ...about } };
		};
		expect(await hook(ws, "vscode", call("PreToolUse"))).toEqual({});
		ws.write("src/b.ts", ws.read("src/b.ts").replace("area(2)", 'area("2")'));
		ws.write("src/c.ts", ws.read("src/c.ts").replace('"c"', "1"));
		const answer = await hook(ws, "copilot", call("PostToolUse"), "postToolUse");
		expect(answer.hookSpecificOutput).toMatchObject({ hookEventName: "PostToolUse" });
		const text = JSON.stringify(answer);
		expect(text).toContain("(ts2345)");
		expect(text).toContain("(ts2322)");
		for (const host of ["claude-code", "vscode"]) expect(await hook(ws, host, call("PostToolUse"))).toEqual({});
	}));
