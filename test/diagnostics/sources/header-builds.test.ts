import { readFileSync, utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { collectPushes, pushedDiagnostics } from "../../../src/diagnostics/sources/push.ts";
import { toUri } from "../../../src/util/positions.ts";
import { type Fake, withFake } from "../../fakes/fake.ts";

/** A header and a source, and whether a proof of the source has its server build it from scratch. */
function withHeader(
	body: (fake: {
		readonly write: (name: string, text: string) => void;
		readonly prove: (name: string) => Promise<unknown>;
		/** Opens the file with its text on disk, before its event has arrived. */
		readonly openFromDisk: (name: string) => void;
		readonly writeToDisk: (name: string, text: string) => void;
		/** A file that is not open changes on disk and gets the time `at`. */
		readonly changeOnDisk: (name: string, at: Date) => void;
	}) => Promise<void>,
	publishes: "versioned" | "texts" = "versioned",
): Promise<void> {
	const run = async (fake: Fake) => {
		const server = await fake.start();
		collectPushes(server);
		const write = (name: string, text: string) => server.documents.set(fake.write(name, text), "fake", text);
		const notify = vi.spyOn(server, "notify");
		const forced = () => notify.mock.calls.filter(([, params]) => Object.hasOwn(Object(params), "forceRebuild")).length;
		await body({
			write,
			writeToDisk: (name, text) => void fake.write(name, text),
			openFromDisk(name) {
				const path = `${fake.root}/${name}`;
				server.documents.set(path, "fake", readFileSync(path, "utf8"), "stamp");
			},
			changeOnDisk(name, at) {
				utimesSync(fake.write(name, "changed"), at, at);
				const changes = [{ uri: toUri(`${fake.root}/${name}`), type: 2 }];
				server.notify("workspace/didChangeWatchedFiles", { changes });
			},
			async prove(name) {
				const document = server.documents.get(`${fake.root}/${name}`);
				if (!document) throw new Error(`${name} is not open`);
				const before = forced();
				await pushedDiagnostics(server, document, { signal: AbortSignal.timeout(10_000) });
				return forced() > before;
			},
		});
	};
	return withFake({ publishes, capabilities: { documentSymbolProvider: true } }, run, {
		pushes: { staleHeaders: true },
	});
}

test("a header that got another text of its size within a second after a proof has the source built from scratch, once", () =>
	withHeader(async ({ write, prove }) => {
		write("api.fake", "first");
		write("a.fake", "source");
		expect(await prove("a.fake")).toBe(false);
		write("b.fake", "other");
		expect(await prove("b.fake")).toBe(false);
		write("api.fake", "fifth");
		expect([await prove("a.fake"), await prove("a.fake"), await prove("b.fake")]).toEqual([true, false, true]);
	}));

test("a header that was read half written on its way to another text of its size has the source built from scratch", () =>
	withHeader(async ({ write, prove }) => {
		write("api.fake", "first");
		write("a.fake", "source");
		await prove("a.fake");
		write("api.fake", "");
		write("api.fake", "fifth");
		expect([await prove("a.fake"), await prove("a.fake")]).toEqual([true, false]);
	}));

test("a source that was opened before its header got another text of its size is built from scratch at its first proof", () =>
	withHeader(async ({ write, prove }) => {
		write("api.fake", "first");
		write("a.fake", "source");
		write("api.fake", "fifth");
		write("b.fake", "other");
		expect([await prove("a.fake"), await prove("b.fake")]).toEqual([true, false]);
	}));

test("a header of another size, or of another second, is detected by the server itself, and so is the source's own text", () =>
	withHeader(async ({ write, prove }) => {
		write("api.fake", "first");
		write("a.fake", "source");
		await prove("a.fake");
		write("api.fake", "second");
		write("a.fake", "SOURCE");
		expect(await prove("a.fake")).toBe(false);
		await new Promise((resolve) => setTimeout(resolve, 1000));
		write("api.fake", "SECOND");
		expect(await prove("a.fake")).toBe(false);
	}));

test("a header that was written and first opened since a source's proof has the source built from scratch, once", () =>
	withHeader(async ({ write, prove, writeToDisk, openFromDisk }) => {
		writeToDisk("api.fake", "first");
		write("a.fake", "source");
		await prove("a.fake");
		writeToDisk("api.fake", "fifth");
		openFromDisk("api.fake");
		expect([await prove("a.fake"), await prove("a.fake")]).toEqual([true, false]);
	}));

test("a header that was written long before it was first opened has the time of its opening, which the server detects", () =>
	withHeader(async ({ write, prove, writeToDisk, openFromDisk }) => {
		writeToDisk("api.fake", "first");
		await new Promise((resolve) => setTimeout(resolve, 1100));
		write("a.fake", "source");
		await prove("a.fake");
		openFromDisk("api.fake");
		expect(await prove("a.fake")).toBe(false);
	}));

test("a header on disk with a newer time than at a source's proof is detected, and one with an older time may be missed", () =>
	withHeader(async ({ write, prove, changeOnDisk }) => {
		write("a.fake", "source");
		await prove("a.fake");
		changeOnDisk("api.fake", new Date(Date.now() + 2000));
		expect(await prove("a.fake")).toBe(false);
		changeOnDisk("api.fake", new Date(0));
		expect([await prove("a.fake"), await prove("a.fake")]).toEqual([true, false]);
	}));

test("a text whose only push came while another text was open is built from scratch, since the server is silent about it", () =>
	withHeader(async ({ write, prove }) => {
		write("a.fake", "source");
		write("a.fake", "other");
		write("a.fake", "source");
		expect([await prove("a.fake"), await prove("a.fake")]).toEqual([true, false]);
	}, "texts"));
