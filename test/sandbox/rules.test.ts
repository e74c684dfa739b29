import { describe, expect, test } from "vitest";
import { type AccessRule, inOrder } from "../../src/sandbox/access-rules.ts";
import { bubblewrapArguments } from "../../src/sandbox/bubblewrap.ts";
import { sandboxProfile } from "../../src/sandbox/sandbox-exec.ts";
import { socketFilter } from "../../src/sandbox/socket-filter.ts";

function rule(access: AccessRule["access"], path: string, isDirectory = true): AccessRule {
	return { path, access, isDirectory };
}

const rules = [
	rule("write", "/home/me/.cache/pi-lsp/untrusted/x"),
	rule("hidden", "/home/me/.cache/pi-lsp"),
	rule("hidden", "/home/me/.netrc", false),
	rule("private", "/tmp"),
	rule("read", "/tmp/work"),
];

describe("rules", () => {
	test("are applied from the outside in", () => {
		expect(inOrder(rules).map(({ path }) => path)).toEqual([
			"/tmp",
			"/tmp/work",
			"/home/me/.netrc",
			"/home/me/.cache/pi-lsp",
			"/home/me/.cache/pi-lsp/untrusted/x",
		]);
	});

	test("for one path are one: the one that allows more", () => {
		expect(inOrder([rule("read", "/a/b"), rule("hidden", "/a"), rule("hidden", "/a/b")])).toEqual([
			rule("hidden", "/a"),
			rule("read", "/a/b"),
		]);
		expect(inOrder([rule("hidden", "/a"), rule("read", "/a")])).toEqual([]);
	});

	test("are left out if they change nothing, and those below a sibling with a similar name are not", () => {
		const kept = [rule("private", "/tmp"), rule("hidden", "/run"), rule("hidden", "/runs/me")];
		expect(inOrder([...kept, rule("hidden", "/tmp/x"), rule("hidden", "/run/user/1"), rule("read", "/etc")])).toEqual(
			inOrder(kept),
		);
	});
});

describe("bubblewrap's arguments", () => {
	test("remove the network, privileges and access to other processes, and lay the rules over a read-only disk", () => {
		expect(bubblewrapArguments({ rules, cwd: "/tmp/work/a b", filter: Buffer.alloc(8) }).join(" ")).toBe(
			"--unshare-all --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev " +
				"--ro-bind /dev/null /dev/zero --ro-bind /dev/null /dev/full " +
				"--ro-bind /dev/null /dev/random --ro-bind /dev/null /dev/urandom --proc /proc " +
				"--perms 0700 --tmpfs /tmp --ro-bind /tmp/work /tmp/work --ro-bind /dev/null /home/me/.netrc " +
				"--perms 0555 --tmpfs /home/me/.cache/pi-lsp " +
				"--bind /home/me/.cache/pi-lsp/untrusted/x /home/me/.cache/pi-lsp/untrusted/x " +
				"--seccomp 4 --chdir /tmp/work/a b",
		);
	});

	test("request no filter if there is none", () => {
		expect(bubblewrapArguments({ rules: [], cwd: "/", filter: undefined })).not.toContain("--seccomp");
	});
});

describe("sandbox-exec's profile", () => {
	test("removes the network and writing, and puts the deepest rule last so that it counts", () => {
		expect(sandboxProfile(rules)).toBe(`(version 1)
(allow default)
(deny network*)
(deny appleevent-send)
(deny lsopen)
(deny file-write*)
(allow file-write* (literal "/dev/null"))
(allow file-write* (literal "/dev/zero"))
(allow file-write* (literal "/dev/tty"))
(allow file-write* (literal "/dev/dtracehelper"))
(allow file-read* file-write* (subpath "/tmp"))
(allow file-read* (subpath "/tmp/work"))
(deny file-write* (subpath "/tmp/work"))
(deny file-read-data file-write* (literal "/home/me/.netrc"))
(deny file-read-data file-write* (subpath "/home/me/.cache/pi-lsp"))
(allow file-read* file-write* (subpath "/home/me/.cache/pi-lsp/untrusted/x"))`);
	});

	test("cannot be closed by a path with the characters that end a string in it", () => {
		const path = '/a/"))(allow network*)(x "\\';
		const profile = sandboxProfile([rule("write", path)]);
		expect(profile.split("\n").at(-1)).toBe(
			'(allow file-read* file-write* (subpath "/a/\\"))(allow network*)(x \\"\\\\"))',
		);
	});
});

describe("the filter of system calls", () => {
	/** The kernel's answer: the filter, executed as it is defined. */
	function answers(filter: Buffer, call: { audit: number; number: number; family?: number }): number {
		const data: Record<number, number> = { 0: call.number, 4: call.audit, 16: call.family ?? 0 };
		let accumulator = 0;
		for (let line = 0; line * 8 < filter.length; line++) {
			const [code, ifTrue, ifFalse] = [filter.readUInt16LE(line * 8), filter[line * 8 + 2], filter[line * 8 + 3]];
			const value = filter.readUInt32LE(line * 8 + 4);
			if (code === 0x06) return value;
			if (code === 0x20) accumulator = data[value] ?? Number.NaN;
			if (code === 0x15) line += (accumulator === value ? ifTrue : ifFalse) ?? 0;
			if (code === 0x35) line += (accumulator >= value ? ifTrue : ifFalse) ?? 0;
		}
		throw new Error("it does not end in an answer");
	}
	const [allow, kill, refused, unknown] = [0x7fff0000, 0x80000000, 0x0005000d, 0x00050026];

	test.each([
		["x64", 0xc000003e, 41, 53],
		["arm64", 0xc00000b7, 198, 199],
	] as const)(
		"on %s refuses sockets of the file system and of virtual machines, and nothing else",
		(arch, audit, socket, pair) => {
			const filter = socketFilter(arch) ?? Buffer.alloc(0);
			expect(answers(filter, { audit, number: socket, family: 1 })).toBe(refused);
			expect(answers(filter, { audit, number: socket, family: 40 })).toBe(refused);
			for (const family of [2, 10, 16]) expect(answers(filter, { audit, number: socket, family })).toBe(allow);
			expect(answers(filter, { audit, number: pair, family: 1 })).toBe(allow);
			expect(answers(filter, { audit, number: 0 })).toBe(allow);
			expect(answers(filter, { audit, number: 425 })).toBe(unknown);
			expect(answers(filter, { audit: 0x40000003, number: socket })).toBe(kill);
			expect(answers(filter, { audit, number: 0x40000000 + socket })).toBe(kill);
		},
	);

	test("is not made for a processor whose numbers are not known", () => {
		expect(socketFilter("ppc64")).toBeUndefined();
	});
});
