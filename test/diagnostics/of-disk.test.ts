import { expect, test } from "vitest";
import { Background } from "../../src/diagnostics/background.ts";
import { proveDocument } from "../../src/diagnostics/sources/prove.ts";
import { collectPushes } from "../../src/diagnostics/sources/push.ts";
import { toUri } from "../../src/util/positions.ts";
import { withFake } from "../fakes/fake.ts";
import { withChecker } from "./checking.ts";

/** True if the state of "before" is known for a server that publishes the text on disk, which is `onDisk`. */
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

test("a server that publishes diagnostics of the disk proves no earlier text", async () => {
	expect(await isKnown("before")).toBe(true);
	expect(await isKnown("after")).toBe(false);
});

test("a server that publishes diagnostics of the disk is made to publish a changed file behind an edit, and is requested no other text", () => {
	const position = { line: 0, character: 0 };
	const wrong = { range: { start: position, end: position }, severity: 1, message: "wrong" };
	return withFake(
		{},
		async (fake) => {
			const path = fake.write("a.fake", "one");
			const publishes = (...diagnostics: object[]) => [
				{ notify: "textDocument/publishDiagnostics", params: { uri: toUri(path), diagnostics } },
			];
			fake.script({
				capabilities: { textDocumentSync: 1, diagnosticProvider: null },
				on: [
					{ method: "textDocument/didOpen", do: publishes() },
					{ method: "textDocument/didSave", nth: 1, do: publishes() },
					{ method: "textDocument/didSave", nth: 2, do: publishes(wrong) },
				],
			});
			const server = await fake.start();
			collectPushes(server);
			const { signal } = new AbortController();
			const messages = async () =>
				(await server.part(Background).prove(path, 0, signal)).proof.diagnostics.map(({ message }) => message);
			expect(await messages()).toEqual([]);
			fake.write("a.fake", "two, which is longer");
			expect(await messages()).toEqual(["wrong"]);
			const restore = server.documents.overlay(new Map([[path, "three"]]), () => "fake");
			const overlaid = proveDocument(server, server.documents.get(path)!, { signal });
			await expect(overlaid).rejects.toMatchObject({ code: "LSP_UNSUPPORTED_REQUEST" });
			restore();
		},
		{ strategy: "push", pushes: { ofDisk: true } },
	);
});
