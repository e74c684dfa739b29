import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HeldLock, livingHolder, tryLock, waitForLock } from "../../../src/daemon/lifecycle/lock.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { met, never, notYet, until } from "../../support/until.ts";

const base = mkdtempSync("/tmp/pl-lock-");
const program = join(base, "lock-user.mjs");
const children: ChildProcess[] = [];
let count = 0;

beforeAll(async () => {
	const entryPoints = [join(REPOSITORY, "test/daemon/lifecycle/lock-user.ts")];
	await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
});

afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function freshPath(): string {
	return join(base, `lock-${++count}`);
}

interface User {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly ended: Promise<unknown>;
	/** The lines that it has printed so far. */
	output(): string[];
	/** Resolves when it prints `word`. */
	says(word: string): Promise<unknown>;
}

function use(mode: "hold" | "race", path: string): User {
	const child = spawn(process.execPath, [program, mode, path], { stdio: ["pipe", "pipe", "inherit"] });
	children.push(child);
	let text = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		text += chunk;
	});
	const output = () => text.split("\n").filter(Boolean);
	return {
		child,
		pid: child.pid ?? -1,
		ended: new Promise((resolve) => child.once("exit", resolve)),
		output,
		says: (word) =>
			until(`the other process says ${word}`, () => {
				if (output().includes(word)) return met(word);
				return child.exitCode === null && child.signalCode === null ? notYet(text) : never(`it ended: ${text}`);
			}),
	};
}

async function holder(path: string): Promise<User> {
	const user = use("hold", path);
	await user.says("held");
	return user;
}

async function take(path: string): Promise<HeldLock> {
	const lock = await tryLock(path);
	if (!lock) throw new Error("the lock is held");
	return lock;
}

describe("a lock", () => {
	test("A lock is held by one process at a time, and by the next after its release", async () => {
		const path = freshPath();
		const first = await holder(path);
		expect(await tryLock(path)).toBeUndefined();
		expect(livingHolder(path)).toBe(first.pid);
		first.child.stdin?.end();
		await first.ended;
		const mine = await take(path);
		expect(livingHolder(path)).toBe(process.pid);
		const second = use("hold", path);
		await second.says("busy");
		await mine.release();
		expect(livingHolder(path)).toBeUndefined();
	});

	test("A lock leaves no other files", async () => {
		const path = join(mkdtempSync(join(base, "d-")), "lock");
		const lock = await take(path);
		expect(await tryLock(path)).toBeUndefined();
		expect(readdirSync(join(path, ".."))).toEqual(["lock"]);
		await lock.release();
		expect(readdirSync(join(path, ".."))).toEqual([]);
	});

	test("The wait for a lock rejects with the reason of the signal", async () => {
		const path = freshPath();
		await holder(path);
		const late = AbortSignal.any([AbortSignal.timeout(200)]);
		await expect(waitForLock(path, late)).rejects.toThrow();
	});

	test("A removed lock is no longer held by its process, and its release removes nothing", async () => {
		const path = freshPath();
		const lock = await take(path);
		expect(lock.isOurs()).toBe(true);
		writeFileSync(path, "1 1");
		expect(lock.isOurs()).toBe(false);
		await lock.release();
		expect(readFileSync(path, "utf8")).toBe("1 1");
	});
});

describe("the lock of a former holder", () => {
	test("The lock of a killed holder is taken at once", async () => {
		const path = freshPath();
		const dead = await holder(path);
		dead.child.kill("SIGKILL");
		await dead.ended;
		expect(existsSync(path)).toBe(true);
		expect(livingHolder(path)).toBeUndefined();
		await (await take(path)).release();
	});

	test("The lock of a stopped holder is not taken", async () => {
		const path = freshPath();
		const asleep = await holder(path);
		asleep.child.kill("SIGSTOP");
		await until("it is stopped", () => {
			const stat = readFileSync(`/proc/${asleep.pid}/stat`, "utf8");
			return / T /.test(stat.slice(stat.lastIndexOf(")"))) ? met(true) : notYet(stat);
		});
		for (let round = 0; round < 50; round++) expect(await tryLock(path)).toBeUndefined();
		expect(livingHolder(path)).toBe(asleep.pid);
		asleep.child.kill("SIGCONT");
		asleep.child.stdin?.end();
		await asleep.ended;
		await (await take(path)).release();
	});

	test("The lock of a dead holder whose process id is in use again is taken", async () => {
		const path = freshPath();
		const other = await holder(freshPath());
		writeFileSync(path, `${other.pid} 1`);
		expect(livingHolder(path)).toBeUndefined();
		await (await take(path)).release();
		expect(other.child.exitCode).toBeNull();
	});

	test.each(["", " ", "x", "12", "-1 5", "0 0", "99999999 1", "\0\0\0"])(
		"that never existed (%j) is taken over",
		async (content) => {
			const path = freshPath();
			writeFileSync(path, content);
			await (await take(path)).release();
		},
	);

	test("The lock of a process that died while it broke a lock is broken in the same way", async () => {
		const path = freshPath();
		const dead = await holder(path);
		const breaker = await holder(`${path}~`);
		for (const user of [dead, breaker]) {
			user.child.kill("SIGKILL");
			await user.ended;
		}
		await (await take(path)).release();
		expect(existsSync(`${path}~`)).toBe(false);
	});

	test("A lock that a living process is breaking is left to that process", async () => {
		const path = freshPath();
		const dead = await holder(path);
		dead.child.kill("SIGKILL");
		await dead.ended;
		await holder(`${path}~`);
		expect(await tryLock(path)).toBeUndefined();
	});
});

test("Exactly one of 20 processes that race for a dead holder's lock has it at any time", async () => {
	const path = freshPath();
	const dead = await holder(path);
	dead.child.kill("SIGKILL");
	await dead.ended;
	const racers = Array.from({ length: 20 }, () => use("race", path));
	await Promise.all(racers.map((racer) => racer.says("ready")));
	for (const racer of racers) racer.child.stdin?.end();
	await Promise.all(racers.map((racer) => racer.says("done")));
	expect(racers.flatMap((racer) => racer.output().filter((line) => line.startsWith("violation")))).toEqual([]);
	expect(readdirSync(base).filter((name) => name.startsWith(`lock-${count}`))).toEqual([]);
}, 90_000);
