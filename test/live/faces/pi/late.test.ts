import { expect, test } from "vitest";
import { edit, edited, write, wrote } from "../../../faces/pi/calls.ts";
import { type HeldServer, withHeldServer } from "../../../faces/pi/held-server.ts";
import { conversationText, type ModelRequest } from "../../../faces/pi/model-request.ts";
import { type RpcPi, withRpcPi } from "../../../faces/pi/rpc-pi.ts";
import { runPi } from "../../../faces/pi/run-pi.ts";
import { met, notYet } from "../../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../../support/workspace.ts";

const PATH = "src/a.ts";
const WRONG = `const a: number = "one";\n`;
const RIGHT = "const a: number = 1;\n";
const ERROR = "ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)";
const LATE = "Checked late, from an earlier edit: The edit was applied. LSP errors detected in this file, please fix:";
const BLOCK = `${LATE}\n<diagnostics file="${PATH}">\n${ERROR}\n</diagnostics>`;
const DONE = { text: "Done." };
const READ = { calls: [{ name: "read", arguments: { path: PATH } }] };
const lateMs = 4000;

/** A project whose server is running and whose checks have a time limit that none of them can keep. */
function withLateChecks(
	body: (ws: Workspace, server: HeldServer) => Promise<void>,
	settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
	const files = {
		...TYPESCRIPT_PROJECT,
		[PATH]: RIGHT,
		".pi-lsp.json": JSON.stringify({ warmMs: 1, coldMs: 1, lateMs, ...settings }),
	};
	return withWorkspace(files, (ws) => withHeldServer(ws, PATH, (server) => body(ws, server)));
}

/** Lets the server continue, and waits until it has answered another caller about the file as well. */
async function proven(ws: Workspace, server: HeldServer): Promise<void> {
	server.release();
	await ws.cli(["check", PATH, "--timeout", "20000"]);
}

/** The number of times that the conversation of a request contains the error. */
function reportsIn(request: ModelRequest | undefined, error = ERROR): number {
	return request === undefined ? 0 : conversationText(request).split(error).length - 1;
}

/** Fails unless a result is pi's own and one line about the unchecked file. */
function expectNotChecked(result: string | undefined, words: string): void {
	expect(result?.split("\n\n")).toEqual([
		words,
		expect.stringMatching(/^Not checked yet: src\/a\.ts \(.+\); errors come with a later result\.$/),
	]);
}

test("an edit that is not checked in time is reported in one line, and the next result of any tool has the diagnostics, once", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			async () => {
				await proven(ws, server);
				return READ;
			},
			READ,
			DONE,
		]);
		expectNotChecked(run.result(0), wrote(PATH, WRONG));
		expect(run.result(1)).toContain(`\n\n${BLOCK}`);
		expect(run.result(2)).not.toContain("LSP errors");
		expect(reportsIn(run.requests.at(-1))).toBe(1);
	}));

test('an edit that is not checked in time has pi\'s own result with "unproven": "silent"', () =>
	withLateChecks(
		async (ws, server) => {
			server.hold();
			const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE]);
			expect(run.result(0)).toBe(wrote(PATH, WRONG));
		},
		{ unproven: "silent", lateMs: 1 },
	));

test("two edits of a file that were both too early are reported once, for the current text", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [edit(PATH, [": number", ": boolean"])] },
			async () => {
				await proven(ws, server);
				return READ;
			},
			DONE,
		]);
		expect(run.result(1)).toBe(edited(PATH));
		const last = run.requests.at(-1);
		expect(reportsIn(last)).toBe(0);
		expect(reportsIn(last, "Type 'string' is not assignable to type 'boolean'.")).toBe(1);
		expect(run.result(2)).toContain(LATE);
	}));

test("an error whose proof came too late, after the next edit of its file, is reported as this session's", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [edit(PATH, ["const a", "const b = true;\nconst a"])] },
			async () => {
				await proven(ws, server);
				return READ;
			},
			DONE,
		]);
		const last = run.requests.at(-1);
		expect(reportsIn(last, ERROR.replace("[1:7]", "[2:7]"))).toBe(1);
		expect(run.result(2)).toContain(LATE);
		expect(last && conversationText(last)).not.toContain("there before");
	}));

test("an error that an edit caused through chains of inferred types reaches the model before its turn ends, once", () => {
	const chain = Object.fromEntries(
		Array.from({ length: 6 }, (_, i) => [
			`src/m${i + 1}.ts`,
			`import { v${i} } from "./m${i}.ts";\nexport const v${i + 1} = () => v${i}();\n`,
		]),
	);
	const files = {
		...TYPESCRIPT_PROJECT,
		...chain,
		"src/m0.ts": "export const v0 = (): number => 1;\n",
		"src/end.ts": 'import { v6 } from "./m6.ts";\nexport const end: number = v6();\n',
		// The edit's own result has no time for other files.
		".pi-lsp.json": `{ "graceMs": 1 }`,
	};
	return withWorkspace(files, async (ws) => {
		const change = edit("src/m0.ts", ["(): number => 1", '(): string => ""']);
		const run = await runPi(ws, [{ calls: [change] }, DONE, DONE]);
		const conversation = conversationText(run.requests.at(-1) as ModelRequest);
		expect(conversation.split("It newly broke 1 other file: src/end.ts (1 error).")).toHaveLength(2);
	});
});

/** Runs a turn that a person stops while its check is delayed, lets the check arrive, and continues from there. */
function afterArrivalInBetween(
	ws: Workspace,
	server: HeldServer,
	steps: readonly (typeof DONE)[],
	body: (pi: RpcPi) => Promise<void>,
): Promise<void> {
	let stop = () => {};
	const hanging = new Promise<typeof DONE>((resolve) => {
		stop = () => resolve(DONE);
	});
	server.hold();
	return withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, () => hanging, ...steps], async (pi) => {
		const from = await pi.prompt("Go on.");
		await pi.until("the model is asked again", () =>
			pi.requests.length === 2 ? met(undefined) : notYet(`${pi.requests.length} requests`),
		);
		pi.send({ type: "abort" });
		await pi.event("the agent stops", (event) => event.type === "agent_end", from);
		stop();
		await proven(ws, server);
		await body(pi);
	});
}

test("a diagnostic after a person has stopped the agent starts nothing, and is added to the person's next prompt, once", () =>
	withLateChecks((ws, server) =>
		afterArrivalInBetween(ws, server, [DONE, DONE], async (pi) => {
			await pi.ask("And now?");
			const [asked, delivered] = pi.requests[2]?.messages.slice(-2) ?? [];
			expect(asked).toMatchObject({ role: "user", text: "And now?" });
			expect(delivered).toMatchObject({ role: "user", text: expect.stringContaining(BLOCK) });
			await pi.ask("Once more.");
			for (const request of pi.requests.slice(2)) expect(reportsIn(request)).toBe(1);
		}),
	));

test("a diagnostic after a person has stopped the agent is dropped if the person has changed the file since", () =>
	withLateChecks((ws, server) =>
		afterArrivalInBetween(ws, server, [DONE], async (pi) => {
			ws.write(PATH, RIGHT);
			await pi.ask("And now?");
			expect(reportsIn(pi.requests[2])).toBe(0);
		}),
	));

test("a diagnostic soon after the agent's end in rpc mode makes it continue, with one message", () =>
	withLateChecks(
		(ws, server) => {
			server.hold();
			return withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE, DONE], async (pi) => {
				await pi.ask("Go on.");
				const from = pi.events.length;
				server.release();
				await pi.event("the agent ends once more", (event) => event.type === "agent_end", from);
				expect(reportsIn(pi.requests[1])).toBe(0);
				const last = pi.requests[2]?.messages.at(-1);
				expect(last?.role).toBe("user");
				expect(last?.text).toContain(BLOCK);
				expect(reportsIn(pi.requests[2])).toBe(1);
			});
		},
		{ lateMs: 20_000 },
	));

test("a diagnostic long after the agent's end in rpc mode is added to the person's next prompt", () =>
	withLateChecks(
		(ws, server) => {
			server.hold();
			return withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE, DONE], async (pi) => {
				await pi.ask("Go on.");
				// The daemon answers this after the agent's end, for which it waits a millisecond.
				await ws.cli(["status"]);
				await proven(ws, server);
				await pi.ask("And now?");
				expect(pi.requests[2]?.messages.at(-1)?.text).toContain(BLOCK);
				expect(reportsIn(pi.requests[2])).toBe(1);
			});
		},
		{ lateMs: 1 },
	));

test("no answer of the model in rpc mode is delayed by a late check", () =>
	withLateChecks(
		(ws, server) => {
			server.hold();
			return withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, READ, READ, DONE], async (pi) => {
				await pi.ask("Go on.");
				const [, second, , last] = pi.requests.map(({ at }) => at);
				expect((last ?? 0) - (second ?? 0)).toBeLessThan(5000);
			});
		},
		{ lateMs: 20_000 },
	));

test.each(["print", "json"] as const)("a late diagnostic in %s mode reaches a model that answers at once", (mode) =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(
			ws,
			[
				{ calls: [write(PATH, WRONG)] },
				() => {
					server.release();
					return { text: "Too early." };
				},
				{ text: "Seen." },
			],
			{ mode },
		);
		expectNotChecked(run.result(0), wrote(PATH, WRONG));
		const last = run.requests[2]?.messages.at(-1);
		expect(last?.role).toBe("user");
		expect(last?.text).toContain(LATE);
		expect(reportsIn(run.requests[2])).toBe(1);
		if (mode === "print") expect(run.stdout).toBe("Seen.\n");
	}),
);

test("the answers to one prompt in print mode are delayed no longer than lateMs together", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, READ, READ, READ, DONE]);
		const [, second, , , last] = run.requests.map(({ at }) => at);
		const heldMs = (last ?? 0) - (second ?? 0);
		// The newer host is delayed at its end alone.
		expect(run.wallMs).toBeGreaterThan(lateMs * 0.9);
		// Separate delays would take three times as long.
		expect(heldMs).toBeLessThan(lateMs * 2);
	}));

test("a late diagnostic about a file that has changed since is dropped", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [edit(PATH, [`"one"`, "1"])] },
			() => {
				server.release();
				return DONE;
			},
		]);
		expect(run.result(1)).toBe(edited(PATH));
		expect(reportsIn(run.requests.at(-1))).toBe(0);
	}));

test("a late diagnostic that a command repaired in the meantime is dropped", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const repair = { name: "bash", arguments: { command: `sed -i 's/"one"/1/' ${PATH}` } };
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			{ calls: [repair] },
			() => {
				server.release();
				return DONE;
			},
		]);
		expect(ws.read(PATH)).toBe(RIGHT);
		expect(reportsIn(run.requests.at(-1))).toBe(0);
	}));

test("a server that never answers does not delay pi's exit", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE]);
		expect(run.stdout).toBe("Done.\n");
		expect(run.wallMs).toBeLessThan(30_000);
	}));

test("Esc ends the wait for a check at once, and the session continues", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, [PATH]: RIGHT, ".pi-lsp.json": `{ "warmMs": 40000 }` }, (ws) =>
		withHeldServer(ws, PATH, async (server) => {
			const steps = [{ calls: [write(PATH, WRONG)] }, { calls: [edit(PATH, [": number", ": boolean"])] }, DONE];
			await withRpcPi(ws, steps, async (pi) => {
				server.hold();
				const from = await pi.prompt("Go on.");
				await pi.event("the file is written", (event) => event.type === "tool_execution_start", from);
				await pi.until("the text is on disk", () => (ws.read(PATH) === WRONG ? met(undefined) : notYet("not yet")));
				const before = performance.now();
				pi.send({ type: "abort" });
				await pi.event("the agent stops", (event) => event.type === "agent_end", from);
				expect(performance.now() - before).toBeLessThan(3_000);
				server.release();
				await pi.ask("Go on.");
				const [result] = pi.requests[2]?.messages.filter(({ role }) => role === "tool").slice(-1) ?? [];
				expect(result?.text).toContain("Type 'string' is not assignable to type 'boolean'. (ts2322)");
			});
		}),
	));
