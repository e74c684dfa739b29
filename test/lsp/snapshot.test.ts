import { describe, expect, test } from "vitest";
import { Snapshot } from "../../src/lsp/snapshot.ts";

const text = (hash: string) => ({ hash, text: hash });

function pathsSince(snapshot: Snapshot, revision: number, until?: number): string[] | undefined {
	return snapshot.since(revision, until)?.map(({ path }) => path);
}

describe("the changes since a revision", () => {
	test("are each file with another text, from its first text to its last", () => {
		const snapshot = new Snapshot();
		const { revision } = snapshot;
		snapshot.textChanged("/a", text("1"), text("2"));
		snapshot.textChanged("/a", text("2"), text("3"));
		expect(snapshot.since(revision)).toEqual([{ path: "/a", before: text("1"), after: text("3") }]);
		expect(snapshot.since(snapshot.revision)).toEqual([]);
	});

	test("are none if a text was set and taken back", () => {
		const snapshot = new Snapshot();
		const { revision } = snapshot;
		snapshot.textChanged("/a", text("1"), text("2"));
		snapshot.textChanged("/a", text("2"), text("1"));
		snapshot.textChanged("/closed", undefined, text("overlay"));
		snapshot.textChanged("/closed", text("overlay"), undefined);
		snapshot.touched();
		expect(snapshot.since(revision)).toEqual([]);
		expect(snapshot.revision).toBeGreaterThan(revision);
	});

	test("end at the given revision", () => {
		const snapshot = new Snapshot();
		snapshot.textChanged("/a", text("1"), text("2"));
		const { revision } = snapshot;
		snapshot.textChanged("/b", text("1"), text("2"));
		expect(pathsSince(snapshot, 0, revision)).toEqual(["/a"]);
	});

	test("contain a file that changed on disk, whatever its text is", () => {
		const snapshot = new Snapshot();
		snapshot.notified("workspace/didChangeWatchedFiles", { changes: [{ uri: "file:///a", type: 2 }] });
		expect(snapshot.since(0)).toEqual([{ path: "/a", before: undefined, after: undefined }]);
	});

	test("are unknown after other settings, and after more changes than are kept", () => {
		const snapshot = new Snapshot();
		snapshot.notified("workspace/didChangeConfiguration", {});
		expect(snapshot.since(0)).toBeUndefined();
		const { revision } = snapshot;
		for (let index = 0; index < 1000; index++) snapshot.textChanged(`/${index}`, text("1"), text("2"));
		expect(snapshot.since(revision)).toBeUndefined();
		expect(pathsSince(snapshot, snapshot.revision - 1)).toEqual(["/999"]);
	});

	test("include the files of events after a time, and are unknown once changes are no longer kept", () => {
		const snapshot = new Snapshot();
		const event = (path: string) =>
			snapshot.notified("workspace/didChangeWatchedFiles", { changes: [{ uri: `file://${path}`, type: 2 }] });
		snapshot.textChanged("/a", text("1"), text("2"));
		expect(snapshot.eventsSince(Number.NEGATIVE_INFINITY)).toEqual([]);
		const before = performance.now();
		event("/b");
		expect(snapshot.eventsSince(before)).toEqual(["/b"]);
		expect(snapshot.eventsSince(performance.now())).toEqual([]);
		for (let index = 0; index < 1000; index++) snapshot.textChanged(`/${index}`, text("1"), text("2"));
		expect(snapshot.eventsSince(before)).toBeUndefined();
		expect(snapshot.eventsSince(performance.now())).toEqual([]);
		snapshot.notified("workspace/didChangeConfiguration", {});
		expect(snapshot.eventsSince(before)).toBeUndefined();
	});
});
