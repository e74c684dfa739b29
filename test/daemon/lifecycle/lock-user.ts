/**
 * A process that uses the daemon's lock: node lock-user.mjs hold|race PATH. `hold` prints "held" or "busy" and keeps
 * the lock until its input ends; `race` takes it repeatedly, and prints "violation" whenever it was not alone.
 */
import { closeSync, openSync, rmSync } from "node:fs";
import process from "node:process";
import { tryLock, waitForLock } from "../../../src/daemon/lifecycle/lock.ts";

const [mode, path = ""] = process.argv.slice(2);

function say(word: string): void {
	process.stdout.write(`${word}\n`);
}

function inputEnds(): Promise<void> {
	return new Promise((resolve) => process.stdin.once("end", resolve).resume());
}

async function hold(): Promise<void> {
	const lock = await tryLock(path);
	say(lock ? "held" : "busy");
	await inputEnds();
	await lock?.release();
}

async function race(): Promise<void> {
	say("ready");
	await inputEnds();
	for (let round = 0; round < 5; round++) {
		const lock = await waitForLock(path, AbortSignal.timeout(30_000));
		try {
			const alone = openSync(`${path}.critical`, "wx");
			// The pause is long enough for another process to look in.
			await new Promise((resolve) => setTimeout(resolve, 2));
			if (!lock.isOurs()) say("violation: the lock is not ours");
			closeSync(alone);
			rmSync(`${path}.critical`);
		} catch (error) {
			say(`violation: ${(error as Error).message}`);
		}
		await lock.release();
	}
	say("done");
}

await (mode === "hold" ? hold() : race());
