import { expect, test } from "vitest";
import { progressAfter } from "../../src/faces/waiting.ts";

test("progress only increases, and has a total while it is the server's own percentage", () => {
	const percentages = [undefined, undefined, 3, 3, 80, 10, undefined, 85, 100, 100];
	let progress = 0;
	const reports = percentages.map((percentage) => {
		const next = progressAfter(progress, percentage === undefined ? { message: "" } : { message: "", percentage });
		progress = next.progress;
		return [progress, next.total];
	});
	expect(reports).toEqual([
		[1, undefined],
		[2, undefined],
		[3, 100],
		[3.001, 100],
		[80, 100],
		// The next of its steps begins.
		[80.001, undefined],
		[81, undefined],
		[85, 100],
		[100, 100],
		[100.001, undefined],
	]);
});
