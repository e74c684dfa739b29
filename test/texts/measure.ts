import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { Script } from "node:vm";

/**
 * The time limit of a call without a pause, in milliseconds of the processor: 200 on an idle machine, and up to twice
 * that if all processors are busy. A call that is not linear takes seconds.
 */
export const maxMs = 450;
/** The time of `yardstick`, in milliseconds, if both processors are busy. */
const yardstickMs = 150;
const tries = 5;
/** A call that takes this long is not measured again. */
const hopelessMs = 1500;
/** A call that takes this long without a pause is ended: some take hours. */
const endMs = 3000;

/**
 * The milliseconds of the processor that a call takes without giving the event loop its turn, the least of five times;
 * those until it was ended if it was. A time above the limit is scaled to a machine that is not slowed down
 * at this moment.
 */
export async function stretchMs(call: () => unknown): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < tries; attempt++) {
		const ms = await longestStretch(call);
		least = Math.min(least, ms <= maxMs ? ms : ms / (await slowdown()));
		if (least <= maxMs || least > hopelessMs) break;
	}
	return least;
}

const slowdown = async () => Math.max(1, (await longestStretch(yardstick)) / yardstickMs);

/** Reads a megabyte of characters, one by one, many times over. */
function yardstick(): number {
	let sum = 0;
	for (let time = 0; time < 40; time++) {
		for (let index = 0; index < megabyteOfText.length; index++) sum = (sum + megabyteOfText.charCodeAt(index)) | 0;
	}
	return sum;
}

const megabyteOfText = "a\n".repeat(2 ** 19);

const global = globalThis as { hostileCall?: (() => unknown) | undefined };
// V8 ends code below a script that has a time limit, a regular expression as well.
const limited = new Script("globalThis.hostileCall()");

async function longestStretch(call: () => unknown): Promise<number> {
	let longest = 0;
	let before = process.cpuUsage();
	let isOver = false;
	global.hostileCall = () => {
		try {
			return call();
		} catch {
			// A refusal counts like any other result.
			return undefined;
		}
	};
	let result: unknown;
	try {
		result = limited.runInThisContext({ timeout: endMs });
	} catch {
		// The call was ended, which its time shows.
	}
	const end = () => {
		isOver = true;
	};
	void Promise.resolve(result).then(end, end);
	while (!isOver) {
		await setImmediate();
		const { user, system } = process.cpuUsage(before);
		longest = Math.max(longest, (user + system) / 1000);
		before = process.cpuUsage();
	}
	return longest;
}
