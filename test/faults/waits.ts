import { existsSync } from "node:fs";
import { commandOf } from "../support/processes.ts";
import { met, notYet, until } from "../support/until.ts";

/** Waits until a condition holds; returns how many milliseconds that took. */
export async function waitUntil(what: string, look: () => boolean, timeoutMs = 10_000): Promise<number> {
	const began = performance.now();
	await until(what, () => (look() ? met(true) : notYet("it does not hold")), { timeoutMs });
	return Math.round(performance.now() - began);
}

export function hasExited(pid: number): boolean {
	return commandOf(pid).length === 0;
}

/** Waits until a process has ended. */
export function waitForExit(pid: number, timeoutMs = 10_000): Promise<number> {
	return waitUntil(`process ${pid} is gone`, () => hasExited(pid), timeoutMs);
}

export function appears(path: string, timeoutMs = 10_000): Promise<number> {
	return waitUntil(`${path} is there`, () => existsSync(path), timeoutMs);
}

/** A promise's value and how many milliseconds it took. */
export async function timed<T>(promise: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
	const began = performance.now();
	const value = await promise;
	return { value, ms: Math.round(performance.now() - began) };
}
