import { expect, test } from "vitest";
import { write, wrote } from "../faces/pi/calls.ts";
import { type HeldServer, withHeldServer } from "../faces/pi/held-server.ts";
import { conversationText, type ModelRequest } from "../faces/pi/model-request.ts";
import { withRpcPi } from "../faces/pi/rpc-pi.ts";
import { type PiEvent, runPi } from "../faces/pi/run-pi.ts";
import { REPOSITORY } from "../support/repository.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

// This host asks its extensions before a run settles (agent_before_settle) and waits for their answers.

const PATH = "src/a.ts";
const WRONG = `const a: number = "one";\n`;
const ERROR = "ERROR [1:7] Type 'string' is not assignable to type 'number'. (ts2322)";
const LATE = "Checked late, from an earlier edit: The edit was applied.";
const DONE = { text: "Done." };

/** An extension that proposes a note of its own at the end of the first run. */
const NEIGHBOUR = `export default function (pi) {
	let proposed = false;
	pi.on("agent_before_settle", (event) => {
		if (proposed) return undefined;
		proposed = true;
		const note = { type: "custom_message", customType: "neighbour", content: "a neighbour's note", display: true };
		return { entries: [...event.entries, note] };
	});
}`;

/** A project whose server is running and whose checks have a time limit that none of them can keep. */
function withLateChecks(body: (ws: Workspace, server: HeldServer) => Promise<void>, lateMs = 4_000): Promise<void> {
	const files = {
		...TYPESCRIPT_PROJECT,
		[PATH]: "const a: number = 1;\n",
		".pi-lsp.json": JSON.stringify({ warmMs: 1, coldMs: 1, lateMs }),
	};
	return withWorkspace(files, (ws) => withHeldServer(ws, PATH, (server) => body(ws, server)));
}

function reportsIn(request: ModelRequest | undefined): number {
	return request === undefined ? 0 : conversationText(request).split(ERROR).length - 1;
}

function count(events: readonly PiEvent[], type: string): number {
	return events.filter((event) => event.type === type).length;
}

test("a late check in json mode is reported before the run settles, once, after the messages of another extension", () =>
	withLateChecks(async (ws, server) => {
		ws.write("../neighbour.js", NEIGHBOUR);
		server.hold();
		const steps = [
			{ calls: [write(PATH, WRONG)] },
			() => {
				setTimeout(server.release, 500);
				return { text: "Too early." };
			},
			{ text: "Seen." },
		];
		// pi asks its extensions in the order in which they are named.
		const args = ["-e", REPOSITORY];
		const run = await runPi(ws, steps, { mode: "json", extension: ws.path("../neighbour.js"), args });
		expect(run.result(0)).toContain(wrote(PATH, WRONG));
		const last = run.requests[2]?.messages.slice(-2).map(({ text }) => text) ?? [];
		expect(last).toEqual(["a neighbour's note", expect.stringContaining(LATE)]);
		expect(reportsIn(run.requests[2])).toBe(1);
		expect(count(run.events, "agent_settled")).toBe(1);
		expect(run.events.at(-1)?.type).toBe("agent_settled");
	}));

test("a person's Esc in rpc mode is not delayed by a check that is late", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		await withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE], async (pi) => {
			const from = await pi.prompt("Go on.");
			await pi.event("the run ends", (event) => event.type === "agent_end", from);
			const before = performance.now();
			pi.send({ type: "abort" });
			await pi.event("the run settles", (event) => event.type === "agent_settled", from);
			expect(performance.now() - before).toBeLessThan(3_000);
		});
	}, 20_000));

test("a run in rpc mode settles without waiting, and a check that comes later starts one more", () =>
	withLateChecks(async (ws, server) => {
		server.hold();
		await withRpcPi(ws, [{ calls: [write(PATH, WRONG)] }, DONE, { text: "Seen." }], async (pi) => {
			const from = await pi.prompt("Go on.");
			await pi.event("the run settles", (event) => event.type === "agent_settled", from);
			const settled = pi.events.length;
			expect(reportsIn(pi.requests[1])).toBe(0);
			server.release();
			await pi.event("one more run settles", (event) => event.type === "agent_settled", settled);
			expect(pi.requests[2]?.messages.at(-1)?.text).toContain(LATE);
			expect(reportsIn(pi.requests[2])).toBe(1);
		});
	}, 20_000));
