import { expect, test } from "vitest";
import { proveEdit } from "../../src/diagnostics/prove-edit.ts";
import { proveOther } from "../../src/diagnostics/sources/prove.ts";
import { type Fake, withFake } from "../fakes/fake.ts";

/** The texts that a server whose `unchanged` is doubtful got of an unchanged file, after each of two proofs. */
async function changesOf(prove: (fake: Fake, path: string) => Promise<() => Promise<unknown>>): Promise<number[]> {
	const pull = { method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items: [] } }] };
	let counts: number[] = [];
	await withFake({ on: [pull] }, async (fake) => {
		const again = await prove(fake, fake.write("a.fake", "x\n"));
		for (let i = 0; i < 2; i++) {
			await again();
			counts = [...counts, fake.received("textDocument/didChange").length];
		}
	});
	return counts;
}

const signal = () => AbortSignal.timeout(5000);

test("a file that is checked again without an edit is sent once more to a server that may miss changes", async () => {
	const counts = await changesOf(async (fake, path) => {
		const server = await fake.start();
		Object.assign(server.config, { doubtfulUnchanged: true, strategy: "pull" });
		return () => proveEdit(server, { path, languageId: "fake", callBaseline: undefined }, { signal: signal() });
	});
	expect(counts).toEqual([0, 1]);
});

test("a file that another file's edit may have fixed is sent once more, however it was opened", async () => {
	const counts = await changesOf(async (fake, path) => {
		const server = await fake.start();
		Object.assign(server.config, { doubtfulUnchanged: true, strategy: "pull" });
		return () => proveOther(server, path, "fake", { signal: signal() });
	});
	expect(counts).toEqual([1, 2]);
});

test("a file is not sent once more to any other server", async () => {
	const counts = await changesOf(async (fake, path) => {
		const server = await fake.start();
		return () => proveEdit(server, { path, languageId: "fake", callBaseline: undefined }, { signal: signal() });
	});
	expect(counts).toEqual([0, 0]);
});
