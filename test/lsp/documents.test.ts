import { mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { Documents } from "../../src/lsp/documents.ts";
import { Snapshot } from "../../src/lsp/snapshot.ts";

const base = realpathSync(mkdtempSync("/tmp/pl-docs-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Sent {
	readonly method: string;
	readonly version?: number;
	readonly text?: string;
	readonly uri: string;
}

function open(maximum?: number): { documents: Documents; sent: Sent[]; snapshot: Snapshot } {
	const sent: Sent[] = [];
	const snapshot = new Snapshot();
	const documents = new Documents(
		{
			notify(method, params) {
				const { textDocument, contentChanges, text } = params as {
					textDocument: { uri: string; version?: number; text?: string };
					contentChanges?: { text: string }[];
					text?: string;
				};
				const content = contentChanges?.[0]?.text ?? textDocument.text ?? text;
				const { uri, version } = textDocument;
				const name = method.replace("textDocument/", "");
				sent.push({
					method: name,
					uri,
					...(version ? { version } : {}),
					...(content === undefined ? {} : { text: content }),
				});
			},
			encoding: () => "utf-16",
			changeKind: () => 1,
			isTsserver: false,
			comparesSizes: false,
			saveWithText: () => true,
		},
		snapshot,
		maximum,
	);
	return { documents, sent, snapshot };
}

describe("the notifications about a document", () => {
	test("are open, change and close in that order, with versions that grow", () => {
		const { documents, sent } = open();
		documents.set("/a.ts", "ts", "one");
		documents.set("/a.ts", "ts", "two");
		documents.set("/a.ts", "ts", "three");
		documents.close("/a.ts");
		expect(sent.map(({ method, text }) => [method, text])).toEqual([
			["didOpen", "one"],
			["didChange", "two"],
			["didChange", "three"],
			["didClose", undefined],
		]);
		const versions = sent.flatMap(({ version }) => version ?? []);
		expect(versions).toEqual([...versions].sort((a, b) => a - b));
		expect(new Set(versions).size).toBe(3);
	});

	test("reopen each document with its text and a version of its own", () => {
		const { documents, sent } = open();
		documents.set("/a.ts", "ts", "one");
		documents.set("/b.ts", "ts", "two");
		documents.reopen();
		expect(sent.slice(2).map(({ method, version, text }) => [method, version, text])).toEqual([
			["didClose", undefined, undefined],
			["didOpen", 3, "one"],
			["didClose", undefined, undefined],
			["didOpen", 4, "two"],
		]);
		expect(documents.set("/a.ts", "ts", "one").version).toBe(3);
	});

	test("do not repeat an unchanged text, which keeps its version", () => {
		const { documents, sent } = open();
		const first = documents.set("/a.ts", "ts", "one");
		expect(documents.set("/a.ts", "ts", "one").version).toBe(first.version);
		expect(sent).toHaveLength(1);
	});

	test("never have a version twice, not even after a close", () => {
		const { documents } = open();
		const first = documents.set("/a.ts", "ts", "one");
		documents.close("/a.ts");
		expect(documents.set("/a.ts", "ts", "one").version).toBeGreaterThan(first.version);
	});

	test("close the least recently used document when there are too many", () => {
		const { documents, sent } = open(2);
		documents.set("/a.ts", "ts", "a");
		documents.set("/b.ts", "ts", "b");
		documents.set("/a.ts", "ts", "a");
		documents.set("/c.ts", "ts", "c");
		expect(documents.paths()).toEqual(["/a.ts", "/c.ts"]);
		expect(sent.filter(({ method }) => method === "didClose").map(({ uri }) => uri)).toEqual(["file:///b.ts"]);
	});

	test("are none for closing a document that is not open", () => {
		const { documents, sent } = open();
		documents.close("/a.ts");
		documents.save("/a.ts");
		expect(sent).toEqual([]);
	});
});

describe("a refresh brings open documents to the state of the disk:", () => {
	const write = (name: string, text: string) => {
		writeFileSync(join(base, name), text);
		return join(base, name);
	};
	const texts = ({ documents }: { documents: Documents }) => documents.paths().map((path) => documents.get(path)?.text);

	test("a file that was edited by another program is sent again", async () => {
		const opened = open();
		const path = write("edited.ts", "one");
		opened.documents.set(path, "ts", "one");
		write("edited.ts", "two, longer");
		await opened.documents.refresh();
		expect(texts(opened)).toEqual(["two, longer"]);
	});

	test("an edit of the same size with its old modification time is detected", async () => {
		const opened = open();
		const path = write("same.ts", "one");
		await opened.documents.refresh();
		opened.documents.set(path, "ts", "one");
		await opened.documents.refresh();
		const { atime, mtime } = statSync(path);
		write("same.ts", "two");
		utimesSync(path, atime, mtime);
		await opened.documents.refresh();
		expect(texts(opened)).toEqual(["two"]);
	});

	test("a file that was removed is closed", async () => {
		const opened = open();
		const path = write("removed.ts", "one");
		opened.documents.set(path, "ts", "one");
		rmSync(path);
		await opened.documents.refresh();
		expect(opened.documents.size).toBe(0);
		expect(opened.sent.at(-1)?.method).toBe("didClose");
	});

	test("a file that did not change is not sent again", async () => {
		const opened = open();
		const path = write("still.ts", "one");
		opened.documents.set(path, "ts", "one");
		await opened.documents.refresh();
		await opened.documents.refresh();
		expect(opened.sent).toHaveLength(1);
	});

	describe("a document whose changes are all reported", () => {
		/** A document that is opened as from disk, and then edited; `heard` is the reported change. */
		const edited = async (name: string) => {
			const opened = open();
			const path = write(name, "one");
			opened.documents.set(path, "ts", "one");
			await opened.documents.refresh();
			const watching = { isWatched: true };
			opened.documents.isWatched = () => watching.isWatched;
			write(name, "two, longer");
			return { ...opened, path, watching };
		};

		test("is not compared with the disk without a report", async () => {
			const opened = await edited("heard.ts");
			await opened.documents.refresh();
			expect(texts(opened)).toEqual(["one"]);
		});

		test("is compared with the disk again once its changes are not reported", async () => {
			const opened = await edited("lost.ts");
			await opened.documents.refresh();
			opened.watching.isWatched = false;
			await opened.documents.refresh();
			expect(texts(opened)).toEqual(["two, longer"]);
		});

		test("is read after a report", async () => {
			const opened = await edited("told.ts");
			opened.documents.changed(opened.path);
			await opened.documents.refresh();
			expect(texts(opened)).toEqual(["two, longer"]);
		});

		test("is read when its text came from elsewhere than the disk", async () => {
			const opened = await edited("overlay.ts");
			opened.documents.set(opened.path, "ts", "three");
			await opened.documents.refresh();
			expect(texts(opened)).toEqual(["two, longer"]);
		});

		test("is compared with the disk once a second, since another link may have changed it", async () => {
			vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
			try {
				const opened = await edited("link.ts");
				await opened.documents.refresh();
				vi.advanceTimersByTime(1000);
				await opened.documents.refresh();
				expect(texts(opened)).toEqual(["two, longer"]);
			} finally {
				vi.useRealTimers();
			}
		});
	});

	test("an excepted document is left alone", async () => {
		const opened = open();
		const path = write("but.ts", "disk");
		opened.documents.set(path, "ts", "memory");
		await opened.documents.refresh(path);
		expect(texts(opened)).toEqual(["memory"]);
	});

	test("a text that is not on disk stays until its owner is done", async () => {
		const opened = open();
		const path = write("held.ts", "disk");
		let release = () => {};
		const held = opened.documents.exclusively(path, () => {
			opened.documents.set(path, "ts", "overlay");
			return new Promise<void>((resolve) => {
				release = resolve;
			});
		});
		// The holder's turn begins one microtask later.
		await Promise.resolve();
		await Promise.resolve();
		const refreshed = opened.documents.refresh();
		expect(texts(opened)).toEqual(["overlay"]);
		release();
		await Promise.all([held, refreshed]);
		expect(texts(opened)).toEqual(["disk"]);
	});
});

test("a held document stays open, however many others are opened", async () => {
	const { documents, sent } = open(2);
	await documents.hold("/a.ts", async () => {
		for (const name of ["a", "b", "c", "d"]) documents.set(`/${name}.ts`, "ts", name);
		expect(documents.paths()).toEqual(["/a.ts", "/d.ts"]);
	});
	await Promise.all(
		["e", "f", "g"].map((name) =>
			documents.exclusively(`/${name}.ts`, async () => void documents.set(`/${name}.ts`, "ts", name)),
		),
	);
	expect(documents.size).toBe(2);
	expect(sent.filter(({ method }) => method === "didClose").map(({ uri }) => uri)).not.toContain("file:///g.ts");
});

describe("an overlay", () => {
	/** A document with its text on disk, and an overlay of it. */
	const overlaid = async (name: string, maximum?: number) => {
		const opened = open(maximum);
		const path = join(base, name);
		writeFileSync(path, "disk");
		opened.documents.set(path, "ts", "disk");
		await opened.documents.refresh();
		const { revision } = opened.snapshot;
		const restore = opened.documents.overlay(new Map([[path, "overlay"]]), () => "ts");
		return { ...opened, path, revision, restore, text: () => opened.documents.get(path)?.text };
	};

	test("is kept when the documents are refreshed from the disk meanwhile", async () => {
		const { documents, text, restore } = await overlaid("refreshed.ts");
		await documents.refresh();
		expect(text()).toBe("overlay");
		restore();
		expect(text()).toBe("disk");
	});

	test("is no change in the snapshot", async () => {
		const { snapshot, revision, restore } = await overlaid("unchanged.ts");
		expect(snapshot.since(revision)).toEqual([]);
		restore();
		expect(snapshot.since(revision)).toEqual([]);
	});

	test("hides no change of the file, which is in the snapshot at once and is sent to the server afterwards", async () => {
		const { documents, snapshot, path, revision, restore, text } = await overlaid("changed.ts");
		writeFileSync(path, "disk, changed");
		documents.changed(path);
		await documents.refresh();
		expect(text()).toBe("overlay");
		expect(snapshot.since(revision)?.map((change) => change.path)).toEqual([path]);
		restore();
		await documents.refresh();
		expect(text()).toBe("disk, changed");
	});

	test("is not replaced by a refresh that began before", async () => {
		const { documents, path, restore, text } = await overlaid("raced.ts");
		restore();
		writeFileSync(path, "disk, changed");
		documents.changed(path);
		const refreshed = documents.refresh();
		const again = documents.overlay(new Map([[path, "overlay"]]), () => "ts");
		await refreshed;
		expect(text()).toBe("overlay");
		again();
		await documents.refresh();
		expect(text()).toBe("disk, changed");
	});

	test("stays open, however many others are opened", async () => {
		const { documents, restore, text } = await overlaid("old.ts", 2);
		for (const name of ["b", "c", "d"]) documents.set(`/${name}.ts`, "ts", name);
		expect(text()).toBe("overlay");
		restore();
		expect(text()).toBe("disk");
	});
});
