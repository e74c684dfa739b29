import { expect, test } from "vitest";
import { repeatUntilUnchanged } from "../../../src/diagnostics/sources/prove.ts";
import { withFake } from "../../fakes/fake.ts";

test("a file that changes during each attempt is given up after three, with a hint that waiting does not help", () =>
	withFake({}, async (fake) => {
		const path = fake.write("a.fake", "");
		let text = "";
		const change = async () => {
			text += "x";
			fake.write("a.fake", text);
		};
		const proven = repeatUntilUnchanged(await fake.start(), path, "fake", change);
		await expect(proven).rejects.toMatchObject({
			code: "LSP_SERVER_TIMEOUT",
			details: { suggestion: "Ask again when nothing writes the file any more." },
		});
		expect(text).toBe("xxx");
	}));

test("a file that changes once is proven with its last text", () =>
	withFake({}, async (fake) => {
		const path = fake.write("a.fake", "first");
		const texts: string[] = [];
		await repeatUntilUnchanged(await fake.start(), path, "fake", async ({ text }) => {
			texts.push(text);
			if (texts.length === 1) fake.write("a.fake", "second");
		});
		expect(texts).toEqual(["first", "second"]);
	}));
