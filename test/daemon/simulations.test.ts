import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Simulations } from "../../src/daemon/simulation/simulations.ts";

const day = 24 * 60 * 60 * 1000;
let base: string;
let directory: string;

beforeEach(() => {
	base = mkdtempSync(join(tmpdir(), "pl-"));
	directory = join(base, "simulations");
});

afterEach(() => rmSync(base, { recursive: true }));

/** Runs a test with sessions, and with a clock that it sets. */
async function withSessions(body: (sessions: Simulations, clock: { now: number }) => Promise<void>): Promise<void> {
	const clock = { now: 1_000_000_000_000 };
	const sessions = new Simulations(directory, () => clock.now);
	try {
		await body(sessions, clock);
	} finally {
		sessions.close();
	}
}

const edited = (text: string) => [{ path: "/p/a.ts", after: text }];

test("the 100 most recently used of 1000 sessions are kept, and the error for another one says that it has ended and why", () =>
	withSessions(async (sessions) => {
		const { session: kept } = await sessions.begin("/p");
		const ended: (string | undefined)[] = [];
		const begun: string[] = [];
		for (let count = 1; count < 1000; count++) {
			const next = await sessions.begin("/p");
			begun.push(next.session.id);
			ended.push(next.ended);
			await sessions.use(kept.id, "/p", async () => {});
		}
		expect(ended.filter((id) => id !== undefined)).toEqual(begun.slice(0, 900));
		expect(readdirSync(directory)).toHaveLength(100);
		await expect(sessions.use(begun[0]!, "/p", async () => {})).rejects.toThrow(
			"has ended: another one began, and it was the one that was idle for the longest",
		);
	}));

test("a session is available in another process, with its texts, in a file that only its user can read", () =>
	withSessions(async (sessions) => {
		const { session } = await sessions.begin("/p");
		await sessions.use(session.id, "/p", async (known) => known.edited(edited("text"), 1));
		expect(statSync(join(directory, `${session.id}.json`)).mode & 0o777).toBe(0o600);
		expect(statSync(directory).mode & 0o777).toBe(0o700);
		writeFileSync(join(directory, "s0000000000000000.json"), "{}");
		await withSessions((others) =>
			others.use(session.id, "/p", async ({ files, state }) => {
				expect(files).toEqual(edited("text"));
				expect(state).toBe("mutated");
			}),
		);
	}));

test("a session ends 24 hours after its last use", () =>
	withSessions(async (sessions, clock) => {
		const { session } = await sessions.begin("/p");
		clock.now += day - 1;
		await sessions.use(session.id, "/p", async () => {});
		clock.now += day - 1;
		await sessions.use(session.id, "/p", async () => {});
		clock.now += day + 1;
		await expect(sessions.use(session.id, "/p", async () => {})).rejects.toThrow("it was unused for 24 hours");
		expect(readdirSync(directory)).toEqual([]);
	}));

test("a failed call leaves a session unchanged, one caller works with it at a time, and a waiting caller may give up", () =>
	withSessions(async (sessions) => {
		const { session } = await sessions.begin("/p");
		const failing = sessions.use(session.id, "/p", async (known) => {
			known.edited(edited("text"), 1);
			throw new Error("It fails.");
		});
		await expect(failing).rejects.toThrow("It fails.");
		expect(session.state).toBe("created");
		let release = () => {};
		const held = new Promise<void>((go) => {
			release = go;
		});
		const order: string[] = [];
		const first = sessions.use(session.id, "/p", async () => {
			await held;
			order.push("first");
		});
		const waiting = new AbortController();
		const second = sessions.use(session.id, "/p", async () => void order.push("second"), waiting.signal);
		waiting.abort(new Error("The caller is gone."));
		await expect(second).rejects.toThrow("The caller is gone.");
		release();
		await first;
		await sessions.use(session.id, "/p", async () => void order.push("third"));
		expect(order).toEqual(["first", "third"]);
	}));

test("texts that are too large in total are refused", () =>
	withSessions(async (sessions) => {
		const { session } = await sessions.begin("/p");
		expect(() => sessions.requireRoom(session, 65 * 1024 * 1024)).toThrow("is the most");
		await expect(sessions.use(session.id, "/q", async () => {})).rejects.toThrow("belongs to another workspace: /p");
	}));
