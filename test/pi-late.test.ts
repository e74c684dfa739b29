import { expect, test } from "vitest";
import { edit, edited, write, wrote } from "./pi/calls.ts";
import { type HeldServer, withHeldServer } from "./pi/held-server.ts";
import { conversationText, type ModelRequest } from "./pi/model-request.ts";
import { type RpcPi, withRpcPi } from "./pi/rpc-pi.ts";
import { runPi } from "./pi/run-pi.ts";
import { CLI } from "./support/repository.ts";
import { met, notYet } from "./support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "./support/workspace.ts";

const PATH = "src/a.ts";
const WRONG = `const a: number = "one";\n`;
const RIGHT = "const a: number = 1;\n";
const ERROR = "ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)";
const LATE = "Checked late, from an earlier edit: The edit was applied. LSP errors detected in this file, please fix:";
const DONE = { text: "Done." };

/** A project whose server is running and whose checks have a time that none of them can keep. */
function withLateChecks(body: (ws: Workspace, server: HeldServer) => Promise<void>): Promise<void> {
	const files = {
		...TYPESCRIPT_PROJECT,
		[PATH]: RIGHT,
		".pi-lsp.json": `{ "warmMs": 1, "coldMs": 1, "lateMs": 4000 }`,
	};
	return withWorkspace(files, (ws) => withHeldServer(ws, PATH, (server) => body(ws, server)));
}

/** How often the conversation of a request tells the error. */
function timesTold(request: ModelRequest | undefined): number {
	return request === undefined ? 0 : conversationText(request).split(ERROR).length - 1;
}

test("a check that was late comes with the next tool result, and never again", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		// The command asks the same server about the same file, so it ends after the late check has its proof.
		const ask = {
			name: "bash",
			arguments: { command: `${process.execPath} ${CLI} check ${PATH} --timeout 20000; true` },
		};
		const run = await runPi(ws, [
			{ calls: [write(PATH, WRONG)] },
			() => {
				server.release();
				return { calls: [ask] };
			},
			{ calls: [{ name: "read", arguments: { path: PATH } }] },
			DONE,
		]);
		expect(run.result(0)).toBe(wrote(PATH, WRONG));
		expect(run.result(1)).toContain(`\n\n${LATE}\n<diagnostics file="${PATH}">\n${ERROR}\n</diagnostics>`);
		expect(run.result(2)).not.toContain("LSP errors");
		// Once out of the command itself, once from the late check.
		expect(timesTold(run.requests.at(-1))).toBe(2);
	}));

test("what an edit broke far away, behind chains of inferred types, reaches the model before its turn ends, once", () => {
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
	};
	return withWorkspace(files, async (ws) => {
		const change = edit("src/m0.ts", ["(): number => 1", '(): string => ""']);
		const run = await runPi(ws, [{ calls: [change] }, DONE, DONE]);
		const told = conversationText(run.requests.at(-1) as ModelRequest);
		expect(told.split("It newly broke 1 other file: src/end.ts (1 error).")).toHaveLength(2);
	});
});

/** Runs a turn that a person stops while its check is held up, lets the check arrive, and goes on from there. */
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
		server.release();
		await pi.event("the person is told", (event) => event.method === "notify", from);
		await body(pi);
	});
}

test("a check that came while nobody was asked stands in its own result at the next request, and stays there", () =>
	withLateChecks((ws, server) =>
		afterArrivalInBetween(ws, server, [DONE, DONE], async (pi) => {
			await pi.ask("And now?");
			await pi.ask("Once more.");
			for (const request of pi.requests.slice(2)) {
				const [result] = request.messages.filter(({ role }) => role === "tool");
				expect(result?.text).toContain(`${wrote(PATH, WRONG)}\n\nThe edit was applied. LSP errors`);
				expect(timesTold(request)).toBe(1);
			}
		}),
	));

test("a check that came while nobody was asked is dropped if a person has changed the file since", () =>
	withLateChecks((ws, server) =>
		afterArrivalInBetween(ws, server, [DONE], async (pi) => {
			ws.write(PATH, RIGHT);
			await pi.ask("And now?");
			expect(timesTold(pi.requests[2])).toBe(0);
		}),
	));

test("in rpc mode a check that comes after the agent's end makes it go on, with one message", () =>
	withLateChecks((ws, server) => {
		server.hold();
		return withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE, DONE], async (pi) => {
			await pi.ask("Go on.");
			const from = pi.events.length;
			server.release();
			await pi.event("the agent ends once more", (event) => event.type === "agent_end", from);
			expect(pi.requests[1] && timesTold(pi.requests[1])).toBe(0);
			const last = pi.requests[2]?.messages.at(-1);
			expect(last?.role).toBe("user");
			expect(last?.text).toContain(LATE);
			expect(timesTold(pi.requests[2])).toBe(1);
		});
	}));

test.each(["print", "json"] as const)("in %s mode a late check still reaches a model that answers at once", (mode) =>
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
		expect(run.result(0)).toBe(wrote(PATH, WRONG));
		const last = run.requests[2]?.messages.at(-1);
		expect(last?.role).toBe("user");
		expect(last?.text).toContain(LATE);
		expect(timesTold(run.requests[2])).toBe(1);
		if (mode === "print") expect(run.stdout).toBe("Seen.\n");
	}),
);

test("what was late is not told of a file that has changed since", () =>
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
		expect(timesTold(run.requests.at(-1))).toBe(0);
	}));

test("what a command changed in the meantime makes a late check void as well", () =>
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
		expect(timesTold(run.requests.at(-1))).toBe(0);
	}));

test("a server that never answers does not keep pi", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		const run = await runPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE]);
		expect(run.stdout).toBe("Done.\n");
		expect(run.wallMs).toBeLessThan(15_000);
	}));

test("Esc ends the wait for a check at once, and the session goes on", () =>
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
