import { expect, test } from "vitest";
import { toUri } from "../../src/util/positions.ts";
import { withFake } from "../fakes/fake.ts";
import { withChecker } from "./checking.ts";

/** Whether the state of "before" is known of a server that publishes what is on disk, where `onDisk` is. */
function isKnown(onDisk: string): Promise<boolean> {
	return withFake(
		{},
		(fake) =>
			withChecker(fake, async ({ checker, context, located }) => {
				const a = located("a.fake", onDisk);
				const params = { uri: toUri(a.path), diagnostics: [] };
				const published = { notify: "textDocument/publishDiagnostics", params };
				fake.script({
					capabilities: { textDocumentSync: 1, diagnosticProvider: undefined },
					on: [{ method: "textDocument/didOpen", do: [published] }],
				});
				return (await checker.baseline(a, "before", "after", context({ call: "1" }))) !== undefined;
			}),
		{ strategy: "push", pushes: { ofDisk: true } },
	);
}

test("a server that publishes what is on disk proves no text that was there before", async () => {
	expect(await isKnown("before")).toBe(true);
	expect(await isKnown("after")).toBe(false);
});
