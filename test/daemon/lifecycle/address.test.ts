import { createHash } from "node:crypto";
import {
	chmodSync,
	chownSync,
	closeSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { addressOf, openLog, proofOf, readCookie } from "../../../src/daemon/lifecycle/address.ts";

const base = realpathSync(mkdtempSync("/tmp/pl-addr-"));
const short = `/tmp/pi-lsp-${process.getuid?.() ?? 0}`;
const shortWasThere = existsSync(short);
let count = 0;

afterAll(() => {
	rmSync(base, { recursive: true, force: true });
	// Only directories of these tests are removed; a directory in use is not empty.
	if (!shortWasThere && existsSync(short) && readdirSync(short).length === 0) rmSync(short, { recursive: true });
});

function runtime(name = `r${++count}`): string {
	mkdirSync(join(base, name), { recursive: true, mode: 0o700 });
	return join(base, name);
}

function addressIn(directory: string | undefined) {
	return addressOf({ XDG_RUNTIME_DIR: directory, XDG_STATE_HOME: join(base, "state"), HOME: base });
}

function modeOf(path: string): number {
	return statSync(path).mode & 0o777;
}

describe("the runtime directory", () => {
	test("The directory is created private below XDG_RUNTIME_DIR, and the socket's name depends on the build", () => {
		const run = runtime();
		const address = addressIn(run);
		expect(address.directory).toBe(join(run, "pi-lsp"));
		expect(modeOf(address.directory)).toBe(0o700);
		expect(address.socket).toMatch(/\/d-[0-9a-f]{8}\.sock$/);
		expect(addressIn(run)).toEqual(address);
	});

	test("The directory is private with every umask", () => {
		const before = process.umask(0);
		try {
			expect(modeOf(addressIn(runtime()).directory)).toBe(0o700);
		} finally {
			process.umask(before);
		}
	});

	test.each([0o755, 0o777, 0o770, 0o701])("A directory of our own with mode %o is made private", (mode) => {
		const run = runtime();
		mkdirSync(join(run, "pi-lsp"));
		chmodSync(join(run, "pi-lsp"), mode);
		expect(modeOf(addressIn(run).directory)).toBe(0o700);
	});

	test.each([
		["a link", (path: string) => symlinkSync(runtime("victim"), path)],
		["a dead link", (path: string) => symlinkSync(join(base, "nowhere"), path)],
		["a file", (path: string) => writeFileSync(path, "")],
	])("A directory that is %s is refused, and nothing is created through it", (_, make) => {
		const run = runtime();
		make(join(run, "pi-lsp"));
		expect(() => addressIn(run)).toThrow(
			expect.objectContaining({ code: "LSP_DAEMON_REFUSED", message: expect.stringContaining(join(run, "pi-lsp")) }),
		);
		expect(existsSync(join(base, "nowhere"))).toBe(false);
		if (existsSync(join(base, "victim"))) expect(readdirSync(join(base, "victim"))).toEqual([]);
	});

	test.runIf(process.getuid?.() === 0)(
		"a directory that another user owns is refused, and its mode is left alone",
		() => {
			const run = runtime();
			const directory = join(run, "pi-lsp");
			mkdirSync(directory);
			chmodSync(directory, 0o755);
			chownSync(directory, 65_534, 65_534);
			expect(() => addressIn(run)).toThrow(expect.objectContaining({ code: "LSP_DAEMON_REFUSED" }));
			expect(modeOf(directory)).toBe(0o755);
			expect(lstatSync(directory).uid).toBe(65_534);
		},
	);
});

describe("the length of the socket's path", () => {
	test("The path is short enough for every length of XDG_RUNTIME_DIR, also with characters of several bytes", () => {
		for (const unit of ["x", "日"])
			for (let length = 20; length <= 120; length += 1) {
				const name = unit.repeat(length).slice(0, 80);
				const run = runtime(length > 80 ? join(name, unit.repeat(length - 80)) : name);
				const { socket, directory } = addressIn(run);
				expect(Buffer.byteLength(socket), socket).toBeLessThanOrEqual(103);
				expect([join(run, "pi-lsp"), short]).toContain(directory);
			}
	});

	test("A long XDG_RUNTIME_DIR leads to the short private directory, with another name", () => {
		const one = addressIn(runtime("a".repeat(110)));
		const two = addressIn(runtime("b".repeat(110)));
		expect(one.directory).toBe(short);
		expect(modeOf(short)).toBe(0o700);
		expect(one.socket).not.toBe(two.socket);
	});

	test.each([undefined, "", "relative/run", "/no/such/directory"])(
		"XDG_RUNTIME_DIR=%j leads to the short directory",
		(run) => {
			expect(addressIn(run).directory).toBe(short);
		},
	);
});

describe("the log", () => {
	test("The log is private, in a private directory, and appended to", () => {
		const path = join(base, "logs", "daemon.log");
		for (const text of ["one\n", "two\n"]) {
			const descriptor = openLog(path);
			writeSync(descriptor, text);
			closeSync(descriptor);
		}
		expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
		expect([modeOf(path), modeOf(join(base, "logs"))]).toEqual([0o600, 0o700]);
	});

	test("The log is not written through a link", () => {
		const victim = join(base, "precious");
		writeFileSync(victim, "precious");
		const path = join(runtime("linked-log"), "daemon.log");
		symlinkSync(victim, path);
		expect(() => openLog(path)).toThrow();
		expect(readFileSync(victim, "utf8")).toBe("precious");
	});

	test("The log is not created below a directory that is a link", () => {
		symlinkSync(runtime("real-logs"), join(base, "linked-logs"));
		expect(() => openLog(join(base, "linked-logs", "daemon.log"))).toThrow(
			expect.objectContaining({ code: "LSP_DAEMON_REFUSED" }),
		);
	});
});

describe("the cookie", () => {
	test("The cookie is created once, private, and the same for all processes that can read the directory", () => {
		const path = join(runtime(), "cookie");
		const cookie = readCookie(path);
		expect(cookie).toMatch(/^[0-9a-f]{64}$/);
		expect(readCookie(path)).toBe(cookie);
		expect(modeOf(path)).toBe(0o600);
		expect(readdirSync(join(path, ".."))).toEqual(["cookie"]);
	});

	test("The cookie is not read through a link", () => {
		const path = join(runtime(), "cookie");
		symlinkSync("/etc/hostname", path);
		expect(() => readCookie(path)).toThrow(expect.objectContaining({ code: "LSP_DAEMON_REFUSED" }));
	});

	test("The proof of a handshake does not contain the cookie", () => {
		expect(proofOf("cookie", "a")).not.toBe(proofOf("cookie", "b"));
		expect(proofOf("cookie", "a")).not.toBe(proofOf("other", "a"));
		expect(proofOf("cookie", "a")).not.toBe(createHash("sha256").update("a").digest("hex"));
	});
});
