import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import type { Script } from "../fakes/script.ts";
import { REPOSITORY } from "../support/repository.ts";
import { TYPESCRIPT_PROJECT } from "../support/workspace.ts";
import { codeOf, found, stateOf } from "./caller.ts";
import { must, type Row, shown } from "./row.ts";
import { timed, waitUntil } from "./waits.ts";
import type { FakeServer, World } from "./world.ts";

const hover = "textDocument/hover";
const watched = "workspace/didChangeWatchedFiles";

/** The last texts that servers were sent, by URI. */
function textsOf(fake: FakeServer): Map<string, string> {
	const texts = new Map<string, string>();
	for (const { got } of fake.entries()) {
		const params = got?.params as
			| { textDocument?: { uri: string; text?: string }; contentChanges?: { text: string }[] }
			| undefined;
		const text = params?.textDocument?.text ?? params?.contentChanges?.at(-1)?.text;
		if (params?.textDocument && text !== undefined) texts.set(params.textDocument.uri, text);
	}
	return texts;
}

/** A server that watches every Go file. */
const wantsWatching: Script = {
	on: [
		{
			method: "initialized",
			do: [
				{
					ask: "client/registerCapability",
					params: {
						registrations: [{ id: "w", method: watched, registerOptions: { watchers: [{ globPattern: "**/*.go" }] } }],
					},
				},
			],
		},
	],
};

async function equalSizeEdit(world: World): Promise<void> {
	const caller = await world.connect();
	const path = world.write("same.go", "package a // RIGHT\n");
	must(found(await caller.check("same.go")) === 0, "not clean at first");
	// The time is set to the nanosecond, which utimes(2) with a Date would cut off.
	const before = join(world.base, "before");
	execFileSync("touch", ["-r", path, before]);
	writeFileSync(path, "package a // WRONG\n");
	execFileSync("touch", ["-r", before, path]);
	must(found(await caller.check("same.go")) === 1, "an edit of equal size with its old time was not seen");
}

export const files: readonly Row[] = [
	{
		id: "E1",
		title: "root and file through symbolic links, a loop",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const linked = join(world.base, "linked");
			symlinkSync(world.root, linked);
			symlinkSync("a.go", join(world.root, "link.go"));
			symlinkSync("loop.go", join(world.root, "loop.go"));
			const [direct, through] = [await world.connect(), await world.connect({ cwd: linked })];
			for (const caller of [direct, through])
				for (const file of ["a.go", "link.go"]) must(found(await caller.check(file)) === 1, file);
			const report = await through.check(join(linked, "a.go"));
			must(found(report) === 1, `absolute through the link: ${shown(report)}`);
			must((await codeOf(direct.check("loop.go"))) !== "no error", "a loop is no file");
			must(gopls.starts() === 1, `${gopls.starts()} servers for one root`);
			const opens = gopls.received("textDocument/didOpen").length;
			must(opens === 1, `${opens} documents for one file`);
			return "";
		},
	},
	{
		id: "E2",
		title: "unusual names: brackets, space, #, %, unicode of both forms, line end, quote, emoji",
		run: async (world) => {
			const names = [
				"(auth)",
				"a b",
				"x#y",
				"%41",
				"c%3A",
				"é".normalize("NFC"),
				"é".normalize("NFD"),
				"two\nlines",
				"it's",
				"🚀",
				"[id]",
				"q?a=b",
			];
			world.fake("gopls", {});
			const caller = await world.connect();
			for (const name of names) {
				world.write(`${name}/${name}.go`, "package a // WRONG\n");
				const report = await caller.check(`${name}/${name}.go`);
				must(found(report) === 1, `${JSON.stringify(name)}: ${shown(report.files[0])}`);
			}
			for (const [i, name] of names.entries()) {
				// The server writes every character of the path as its bytes in hexadecimal.
				const path = world.write(`${name}/p.c`, "int a;\n");
				const uri = `file://${Buffer.from(path)
					.toString("hex")
					.replaceAll(/../g, (byte) => (byte === "2f" ? "/" : `%${byte.toUpperCase()}`))}`;
				const item = {
					range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
					severity: 1,
					message: "m",
				};
				world.fake("clangd", {
					on: [
						{
							method: "textDocument/didOpen",
							do: [{ notify: "textDocument/publishDiagnostics", params: { uri, version: 1, diagnostics: [item] } }],
						},
					],
				});
				await caller.ask("restart", {});
				const report = await caller.check(`${name}/p.c`, { timeout: 5000 });
				must(found(report) === 1, `echoed otherwise, ${i} ${JSON.stringify(name)}: ${shown(report.files[0])}`);
			}
			return `${names.length}/${names.length}, and echoed in another encoding`;
		},
	},
	{
		id: "E3",
		title: "names that differ in case only",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			world.write("Case.go", "package a // WRONG\n");
			world.write("case.go", "package a\n");
			const caller = await world.connect();
			must(
				found(await caller.check("Case.go")) === 1 && found(await caller.check("case.go")) === 0,
				"they are mixed up",
			);
			must(textsOf(gopls).size === 2, `${textsOf(gopls).size} documents`);
			return "2 documents; the other case needs macOS";
		},
	},
	{
		id: "E4",
		title: "deleted, renamed, replaced by a directory, forbidden in mid-request",
		run: async (world) => {
			const gopls = world.fake("gopls", { on: [{ method: hover, do: [{ delay: 300 }, { default: true }] }] });
			const caller = await world.connect();
			const faults: Readonly<Record<string, (path: string) => void>> = {
				deleted: (path) => rmSync(path),
				renamed: (path) => renameSync(path, `${path}.moved`),
				directory: (path) => {
					rmSync(path);
					mkdirSync(path);
				},
			};
			for (const [name, fault] of Object.entries(faults)) {
				const path = world.write(`${name}.go`, "package a // WRONG\n");
				must(found(await caller.check(`${name}.go`)) === 1, name);
				const asked = codeOf(caller.hover(`${name}.go`));
				await waitUntil("it was asked", () => gopls.received(hover).length > 0);
				gopls.forget();
				fault(path);
				must(!(await asked).startsWith("untyped"), `${name}: ${await asked}`);
				const code = await codeOf(caller.check(`${name}.go`));
				must(/LSP_FILE_NOT_FOUND|LSP_UNSUPPORTED_FILE/.test(code), `${name}: ${code}`);
				must(found(await caller.check("b.go")) === 0, `${name}: another file`);
				await waitUntil("it is closed", () => gopls.received("textDocument/didClose").length === 1, 3000);
			}
			const sealed = world.write("sealed.go", "package a // WRONG\n");
			chmodSync(sealed, 0);
			const report = await codeOf(caller.check("sealed.go"));
			return `3 kinds; chmod 000 means nothing to root (${report})`;
		},
	},
	{
		id: "E5",
		title: "an edit of equal size with its time restored",
		run: async (world) => {
			world.fake("gopls", {});
			await equalSizeEdit(world);
			return "";
		},
	},
	{
		id: "E6",
		title: "500 writes to one file while it is checked",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			const caller = await world.connect();
			const path = world.write("busy.go", "package a\n");
			await caller.check("busy.go");
			const checks: Promise<unknown>[] = [];
			for (let i = 0; i < 500; i++) {
				writeFileSync(path, `package a // ${i % 2 ? "WRONG" : "right"} ${i}\n`);
				if (i % 25 === 0) checks.push(codeOf(caller.check("busy.go")));
				if (i % 10 === 0) await pause(2);
			}
			await Promise.all(checks);
			must(found(await caller.check("busy.go")) === 1, "the last content is not what was proven");
			const text = [...textsOf(gopls)].find(([uri]) => uri.endsWith("busy.go"))?.[1];
			must(text?.includes("WRONG 499") === true, `the server has ${shown(text)}`);
			return `500 writes, ${checks.length} checks`;
		},
	},
	{
		id: "E7",
		title: "10 MB, 200 MB, a line of 5 MB, a million lines",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			world.write("ten.go", "x".repeat(10 << 20));
			world.write("line.go", "y".repeat(5 << 20));
			world.write("lines.go", "a()\n".repeat(1_000_000));
			execFileSync("truncate", ["-s", "200M", join(world.root, "huge.go")]);
			const caller = await world.connect();
			await caller.check("a.go");
			for (const file of ["ten.go", "line.go", "lines.go", "huge.go"]) {
				const { value, ms } = await timed(caller.check(file));
				must(stateOf(value) === "too_large", `${file}: ${shown(value.files[0])}`);
				must(ms < 150, `${file}: reported after ${ms} ms`);
			}
			must(textsOf(gopls).size === 1, "one was opened");
			world.write(".pi-lsp.json", `{ "maxFileBytes": 6000000 }`);
			must(found(await caller.check("lines.go", { timeout: 20_000 })) === 0, "not opened with a higher limit");
			return "4 kinds, and a higher limit by configuration";
		},
	},
	{
		id: "E8",
		title: "binary, UTF-16, latin-1, NUL, empty, without a final line end",
		run: async (world) => {
			world.fake("gopls", {});
			const caller = await world.connect();
			const contents: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
				binary: [Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), /binary/],
				utf16: [Buffer.from("\ufeffpackage a // WRONG\n", "utf16le"), /binary/],
				latin1: [Buffer.from("package a // WRONG \xe9\n", "latin1"), /^1$|binary|encoding/],
				nul: [Buffer.from("package\0 a\n"), /binary/],
				empty: [Buffer.alloc(0), /^0$/],
				noend: [Buffer.from("package a // WRONG"), /^1$/],
			};
			for (const [name, [bytes, right]] of Object.entries(contents)) {
				writeFileSync(join(world.root, `${name}.go`), bytes);
				const answer = String(found(await caller.check(`${name}.go`)));
				must(right.test(answer), `${name}: ${answer}`);
			}
			return `${Object.keys(contents).length} kinds`;
		},
	},
	{
		id: "E9",
		title: "a FIFO, a socket, /dev/zero, /proc/self/mem",
		run: async (world) => {
			world.fake("gopls", {});
			execFileSync("mkfifo", [join(world.root, "fifo.go")]);
			const listener = net.createServer().listen(join(world.root, "sock.go"));
			symlinkSync("/dev/zero", join(world.root, "zero.go"));
			symlinkSync("/proc/self/mem", join(world.root, "mem.go"));
			world.cleanups.push(() => listener.close());
			const caller = await world.connect();
			for (const file of ["fifo.go", "sock.go", "zero.go", "mem.go"]) {
				const { value, ms } = await timed(codeOf(caller.check(file)));
				must(/LSP_NOT_A_FILE|LSP_OUTSIDE_WORKSPACE/.test(value), `${file}: ${value}`);
				must(ms < 1000, `${file}: reported after ${ms} ms`);
			}
			return "4 kinds";
		},
	},
	{
		id: "E10",
		title: "no inotify instance, and no descriptors, for the watcher",
		run: async (world) => {
			world.fake("gopls", wantsWatching);
			const daemon = join(REPOSITORY, "dist/daemon.cjs");
			const script = `echo 0 > /proc/sys/user/max_inotify_instances && exec "${process.execPath}" "${daemon}"`;
			const child = spawn("unshare", ["-Ur", "sh", "-c", script], {
				env: world.daemonEnv,
				stdio: "ignore",
				detached: true,
			});
			await waitUntil(`it listens (exit ${child.exitCode})`, () => world.socket() !== undefined);
			const caller = await world.connect();
			must(found(await caller.check("a.go")) === 1, "not served");
			await equalSizeEdit(world);
			const status = JSON.stringify(await caller.ask("status", {}));
			must(
				/"watch":\{"state":"degraded"/.test(status),
				`the status does not say that watching is degraded: ${shown(status)}`,
			);
			return "max_inotify_instances 0 in a user namespace";
		},
	},
	{
		id: "E11",
		title: "a checkout that changes thousands of files",
		run: async (world) => {
			const count = 4000;
			const gopls = world.fake("gopls", wantsWatching);
			const git = (...args: string[]) =>
				execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], {
					cwd: world.root,
					stdio: "ignore",
				});
			const put = (word: string) => {
				for (let i = 0; i < count; i++) world.write(`p${i % 40}/f${i}.go`, `package p // ${word}\n`);
				git("add", "-A");
				git("commit", "-qm", word);
			};
			git("init", "-q", "-b", "one");
			put("right");
			git("checkout", "-q", "-b", "two");
			put("WRONG");
			git("checkout", "-q", "one");
			const caller = await world.connect();
			must(found(await caller.check("p1/f1.go")) === 0, "not clean at first");
			await pause(300);
			gopls.forget();
			const began = performance.now();
			git("checkout", "-q", "two");
			const { value, ms } = await timed(caller.check("p1/f1.go", { timeout: 20_000 }));
			must(found(value) === 1, `the earlier state is reported: ${shown(value.files[0])}`);
			const paths = () =>
				new Set(
					gopls
						.received(watched)
						.flatMap(({ params }) => ((params?.changes ?? []) as { uri: string }[]).map(({ uri }) => uri)),
				);
			// The open file is reported by its text.
			await waitUntil("every change is reported", () => paths().size >= count - 1, 20_000).catch(() => {
				throw new Error(`${paths().size} of ${count} changes were reported`);
			});
			const seconds = (performance.now() - began) / 1000;
			const batches = gopls.received(watched).length;
			must(batches <= seconds * 4 + 8, `${batches} notifications in ${seconds.toFixed(1)} s`);
			return `${count} files of 20,000; ${batches} notifications, the first check ${ms} ms`;
		},
	},
	{
		id: "E12",
		title: "nested roots, a marker added later, a moved root, a deleted root",
		run: async (world) => {
			const gopls = world.fake("gopls", {});
			world.write("inner/x.go", "package x // WRONG\n");
			const caller = await world.connect();
			must(found(await caller.check("inner/x.go")) === 1, "the outer root");
			world.write("inner/go.mod", "module inner\n");
			must(found(await caller.check("inner/x.go")) === 1, "a marker added later");
			const inner = await world.connect({ cwd: join(world.root, "inner") });
			must(found(await inner.check("x.go")) === 1, "the inner root");
			const starts = gopls.starts();
			renameSync(join(world.root, "inner"), join(world.root, "moved"));
			const moved = await world.connect({ cwd: join(world.root, "moved") });
			must(found(await moved.check("x.go")) === 1, "the moved root");
			must(gopls.starts() === starts + 1, "the moved root has the old server");
			await codeOf(inner.check("x.go"));
			await waitUntil("the server of the root that is gone is evicted", () => gopls.alive().length <= 2, 20_000).catch(
				() => {
					throw new Error(`${gopls.alive().length} servers live 20 s after a root was moved away`);
				},
			);
			rmSync(join(world.root, "moved"), { recursive: true });
			await codeOf(moved.check("x.go"));
			await waitUntil("the server of the deleted root is evicted", () => gopls.alive().length <= 1, 20_000).catch(
				() => {
					throw new Error(`${gopls.alive().length} servers live 20 s after a root was deleted`);
				},
			);
			return "";
		},
	},
	{
		id: "E13",
		title: "a dependency is edited outside the tool",
		run: async (world) => {
			for (const [file, text] of Object.entries(TYPESCRIPT_PROJECT)) world.write(file, text);
			world.write("src/b.ts", "export const b: number = 1;\n");
			world.write("src/a.ts", 'import { b } from "./b.ts";\nexport const a: number = b;\n');
			const caller = await world.connect();
			must(found(await caller.check("src/a.ts")) === 0, "not clean at first");
			for (let i = 0; i < 20; i++) {
				const wrong = i % 2 === 0;
				world.write("src/b.ts", `export const b: ${wrong ? "string" : "number"} = ${wrong ? '""' : "2"};\n`);
				const report = await caller.check("src/a.ts");
				must(found(report) === (wrong ? 1 : 0), `edit ${i}: ${shown(report.files[0])}`);
			}
			return "20 edits, TypeScript 7";
		},
	},
];
