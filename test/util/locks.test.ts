import { expect, test } from "vitest";
import { Locks, ReadWriteLock } from "../../src/util/locks.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until a test ends it. */
function work(log: string[], name: string) {
	let end = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	const run = async () => {
		log.push(`${name} begins`);
		await ended;
		log.push(`${name} ends`);
	};
	return { run, end: () => end() };
}

test("readers share a turn, a writer has one for itself, and callers keep their order", async () => {
	const [turns, log] = [new ReadWriteLock(), [] as string[]];
	const [a, b, writer, c] = [work(log, "a"), work(log, "b"), work(log, "writer"), work(log, "c")];
	const all = [turns.read(a.run), turns.read(b.run), turns.write(writer.run), turns.read(c.run)];
	await settled();
	expect(log).toEqual(["a begins", "b begins"]);
	a.end();
	b.end();
	await settled();
	expect(log.slice(4)).toEqual(["writer begins"]);
	writer.end();
	c.end();
	await Promise.all(all);
	expect(log.slice(5)).toEqual(["writer ends", "c begins", "c ends"]);
});

test("an idle writer is notified when another caller waits", async () => {
	const turns = new ReadWriteLock();
	const log: string[] = [];
	let ended = () => {};
	const mine = turns.writeWhileIdle(async (wanted) => {
		log.push("mine begins");
		await Promise.race([wanted, new Promise<void>((resolve) => (ended = resolve))]);
		log.push("mine ends");
	});
	await settled();
	expect(log).toEqual(["mine begins"]);
	await turns.read(async () => void log.push("reader"));
	expect(log).toEqual(["mine begins", "mine ends", "reader"]);
	await mine;
	ended();
	// The next caller is not a request from a caller that was there before.
	const next = turns.writeWhileIdle((wanted) => Promise.race([wanted.then(() => "wanted"), settled()]));
	expect(await next).toBeUndefined();
});

test("an idle writer has no turn while others read or write, or wait for it", async () => {
	const turns = new ReadWriteLock();
	const never = () => Promise.reject(new Error("it ran"));
	for (const kind of ["read", "write"] as const) {
		const busy = work([], kind);
		const done = turns[kind](busy.run);
		expect(turns.writeWhileIdle(never)).toBeUndefined();
		busy.end();
		await done;
	}
	expect(await turns.writeWhileIdle(async () => "idle")).toBe("idle");
});

test("Locks: work for one key goes one after the other, also after a failure, and other keys do not wait", async () => {
	const [locks, log] = [new Locks(), [] as string[]];
	const [a, b, other] = [work(log, "a"), work(log, "b"), work(log, "other")];
	const failing = locks.run("key", async () => {
		await a.run();
		throw new Error("failed");
	});
	const all = [
		failing.catch((error: Error) => error.message),
		locks.run("key", b.run),
		locks.run("other key", other.run),
	];
	await settled();
	expect(log).toEqual(["a begins", "other begins"]);
	a.end();
	await settled();
	expect(log.slice(2)).toEqual(["a ends", "b begins"]);
	const later = locks.run("key", async () => log.push("later"));
	await settled();
	expect(log).not.toContain("later");
	for (const each of [b, other]) each.end();
	expect(await Promise.all(all)).toEqual(["failed", undefined, undefined]);
	await later;
	expect(log.at(-1)).toBe("later");
});
