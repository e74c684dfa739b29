import { expect, test } from "vitest";
import { timeoutInSteps } from "../../src/util/abort.ts";

function hold(ms: number): void {
	const end = performance.now() + ms;
	while (performance.now() < end);
}

test("A timeout in steps does not pass while a turn of the event loop lasts, and passes afterwards", async () => {
	const signal = timeoutInSteps(200);
	await new Promise((resolve) => setTimeout(resolve, 1));
	hold(400);
	await new Promise((resolve) => setImmediate(resolve));
	expect(signal.aborted).toBe(false);
	await new Promise((resolve) => signal.addEventListener("abort", resolve));
	expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});
