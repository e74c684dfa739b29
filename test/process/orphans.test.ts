import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { afterEach, expect, test } from "vitest";
import { ownerMark, sweepOrphans } from "../../src/process/orphans.ts";

const children: ChildProcess[] = [];

afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function sleeper(mark: Readonly<Record<string, string>>): Promise<ChildProcess> {
	const child = spawn(process.execPath, ["-e", 'console.log("up"); setInterval(() => {}, 1000)'], {
		env: { ...process.env, ...mark },
		stdio: ["ignore", "pipe", "ignore"],
	});
	children.push(child);
	await once(child.stdout, "data");
	return child;
}

/** The mark of a process that has exited: its id may be in use again, but not with that start time. */
const gone = `${process.pid} 1`;

test.skipIf(process.platform !== "linux")("only processes of a daemon that has exited are killed", async () => {
	const orphan = await sleeper(ownerMark(gone));
	const owned = await sleeper(ownerMark());
	const stranger = await sleeper({});
	const elsewhere = await sleeper({ PI_LSP_OWNER: `${ownerMark(gone).PI_LSP_OWNER}x` });
	const ended = once(orphan, "exit");
	expect(sweepOrphans()).toBe(1);
	expect((await ended)[1]).toBe("SIGKILL");
	expect([owned, stranger, elsewhere].map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual(
		Array.from({ length: 3 }, () => [null, null]),
	);
	expect(sweepOrphans()).toBe(0);
});
