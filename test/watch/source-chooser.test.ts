import { readdirSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { sendsEvents } from "../../src/watch/probe.ts";
import { sources } from "../../src/watch/source.ts";
import { automaticSource } from "../../src/watch/source-chooser.ts";
import { withScratch } from "./scratch.ts";

describe("the automatic source", () => {
	test.each([
		["linux", "ext4", 0xef53, "native"],
		["linux", "overlay", 0x794c7630, "native"],
		["linux", "tmpfs", 0x01021994, "native"],
		["linux", "btrfs", 0x9123683e, "native"],
		["linux", "of an unknown type", undefined, "native"],
		["linux", "NFS", 0x6969, "poll"],
		["linux", "SMB", 0xfe534d42, "poll"],
		["linux", "CIFS", 0xff534d42, "poll"],
		["linux", "FUSE", 0x65735546, "poll"],
		["linux", "9p", 0x01021997, "poll"],
		["linux", "vboxsf", 0x786f4256, "poll"],
		["darwin", "of any type", 26, "portable"],
		["win32", "of any type", 0, "portable"],
	] as const)("on %s with a file system %s (%d) is %s", (platform, _, type, expected) => {
		expect(automaticSource("/anywhere", platform, () => type)).toBe(expected);
	});

	test("of a directory that does not exist is the native one", () => {
		expect(automaticSource("/nowhere/at/all", "linux")).toBe("native");
	});
});

describe("a probe file", () => {
	test.each(["native", "portable"] as const)("has an event from the source %s, and leaves nothing", (name) =>
		withScratch(["mine/keep"], async ({ path }) => {
			expect(await sendsEvents(sources[name], [path("none"), path("mine")])).toBe(true);
			expect(readdirSync(path("mine"))).toEqual(["keep"]);
		}),
	);

	test("reports that no events come if the source sends none or fails, and leaves nothing", () =>
		withScratch([], async ({ root }) => {
			const ended = vi.spyOn(globalThis, "clearInterval");
			const failing = () => {
				throw new Error("EMFILE");
			};
			for (const watch of [() => () => {}, failing])
				expect(await sendsEvents({ ...sources.native, watch }, [root])).toBe(false);
			expect(readdirSync(root)).toEqual([]);
			expect(ended).toHaveBeenCalledTimes(2);
			ended.mockRestore();
		}));

	test("is removed at once after an abort", () =>
		withScratch([], async ({ root }) => {
			const aborted = new AbortController();
			const probed = sendsEvents({ ...sources.native, watch: () => () => {} }, [root], aborted.signal);
			expect(readdirSync(root)).toHaveLength(1);
			aborted.abort();
			expect(await probed).toBe(false);
			expect(readdirSync(root)).toEqual([]);
		}));

	test("proves nothing if none can be written", async () => {
		expect(await sendsEvents({ ...sources.native, watch: () => () => {} }, ["/nowhere"])).toBe(true);
	});
});
