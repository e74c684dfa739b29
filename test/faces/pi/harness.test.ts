import { spawn } from "node:child_process";
import process from "node:process";
import { expect, test } from "vitest";
import { expectNoProcesses, processesOf } from "../../support/processes.ts";
import { met, never, notYet, until } from "../../support/until.ts";
import { type Workspace, withWorkspace } from "../../support/workspace.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

// The extension is the smallest possible, so that a failure here is the harness's and never pi-lsp's.
const MARKER = `export default function (pi) {
	pi.on("tool_result", (event) => ({ content: [...event.content, { type: "text", text: "seen by the extension" }] }));
	pi.registerCommand("hello", { description: "says hello", handler: async (args, ctx) => ctx.ui.notify("hello " + args) });
}`;

const WRITE = { calls: [{ name: "write", arguments: { path: "a.txt", content: "one" } }] };
const WROTE = "Successfully wrote 3 bytes to a.txt\nseen by the extension";

function marker(ws: Workspace): string {
	ws.write("marker.js", MARKER);
	return ws.path("marker.js");
}

test.each(["print", "json"] as const)("in %s mode the model reads what an extension appended", (mode) =>
	withWorkspace({}, async (ws) => {
		const run = await runPi(ws, [WRITE, { text: "Done." }], { mode, extension: marker(ws) });
		expect(run.result()).toBe(WROTE);
		expect(ws.read("a.txt")).toBe("one");
		if (mode === "print") expect(run.stdout).toBe("Done.\n");
		else expect(run.events.at(-1)?.type).toBe("agent_end");
	}),
);

test("in rpc mode prompts and slash commands are driven while pi runs", () =>
	withWorkspace({}, async (ws) => {
		const steps = [WRITE, { text: "Done." }];
		await withRpcPi(
			ws,
			steps,
			async (pi) => {
				await pi.ask("Go on.");
				expect(pi.answerTo(0).messages.at(-1)?.text).toBe(WROTE);
				const from = await pi.prompt("/hello there");
				const notify = await pi.event("a notice", (event) => event.method === "notify", from);
				expect(notify.message).toBe("hello there");
			},
			{ extension: marker(ws) },
		);
	}));

test("a model that refuses to continue fails the run, and the failure contains the conversation", async () => {
	const refuse = () => {
		throw new Error("no diagnostics in sight");
	};
	const failure = await withWorkspace({}, (ws) => runPi(ws, [WRITE, refuse], { extension: marker(ws) })).catch(
		(error: Error) => error,
	);
	expect(failure).toBeInstanceOf(Error);
	const { message } = failure as Error;
	expect(message).toContain("no diagnostics in sight");
	expect(message).toContain(`write {"path":"a.txt","content":"one"}`);
	expect(message).toContain("seen by the extension");
});

test("an extension that cannot be loaded fails the run with pi's own words", async () => {
	const run = withWorkspace({}, (ws) => runPi(ws, [WRITE], { extension: ws.path("absent.js") }));
	await expect(run).rejects.toThrow("absent.js");
});

test("a process that outlives its test is reported and killed", () =>
	withWorkspace({}, async (ws) => {
		const forever = ["-e", "setInterval(() => {}, 1000)"];
		spawn(process.execPath, forever, { env: ws.env, detached: true, stdio: "ignore" }).unref();
		await until("the process is there", () => (processesOf(ws.runId).length > 0 ? met(undefined) : notYet("nothing")));
		await expect(expectNoProcesses(ws.runId, 200)).rejects.toThrow("setInterval");
	}));

test("the wait ends at once when its condition can never be met", async () => {
	const wait = until("rain", () => never("the sky is empty"), { timeoutMs: 1_000_000 });
	await expect(wait).rejects.toThrow("rain: cannot happen any more: the sky is empty");
});
