import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { withWorkspace } from "../support/workspace.ts";
import { ask, isRight, WRONG_PROJECT } from "./daemon.ts";

const mayMount = process.platform === "linux" && process.getuid?.() === 0;

/** The ways to mount the file system of the runtime directory and to fill it up. */
const full: Readonly<Record<string, { readonly options: string; fill(directory: string): void }>> = {
	"no byte is left": {
		options: "size=64k,mode=0700",
		fill: (run) => {
			mkdirSync(join(run, "pi-lsp"), { mode: 0o700 });
			execFileSync("sh", ["-c", `dd if=/dev/zero of="${run}/fill" bs=4k 2>/dev/null || true`]);
		},
	},
	"no file can be made": {
		options: "nr_inodes=40,mode=0700",
		fill: (run) => {
			mkdirSync(join(run, "pi-lsp"), { mode: 0o700 });
			for (let i = 0; i < 38; i++) writeFileSync(join(run, `fill${i}`), "");
		},
	},
	"no directory can be made": {
		options: "nr_inodes=40,mode=0700",
		fill: (run) => {
			for (let i = 0; i < 39; i++) writeFileSync(join(run, `fill${i}`), "");
		},
	},
	"there is room for the lock and for nothing else": {
		options: "nr_inodes=40,mode=0700",
		fill: (run) => {
			mkdirSync(join(run, "pi-lsp"), { mode: 0o700 });
			for (let i = 0; i < 36; i++) writeFileSync(join(run, `fill${i}`), "");
		},
	},
};

for (const [what, { options, fill }] of Object.entries(full))
	test.skipIf(!mayMount)(`the error on a full file system names the runtime directory and the remedy: ${what}`, () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			const run = join(ws.base, "run");
			execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", run]);
			try {
				fill(run);
				const { code, stderr } = await ws.cli(["check", "src/a.ts"]);
				expect(stderr).toMatch(/^LSP_DAEMON_(REFUSED|START_FAILED): .*run\/pi-lsp.* no space is left/);
				expect(stderr).toMatch(
					/Make room there, or set XDG_RUNTIME_DIR to another directory\. `--no-daemon` needs none\.|The log says why: .*daemon\.log\. `--no-daemon` works without a daemon\./,
				);
				expect(code).toBe(3);
				for (const name of readdirSync(run)) if (name.startsWith("fill")) rmSync(join(run, name));
				expect(isRight(await ask(ws))).toBe(true);
				await ws.cli(["stop"]);
			} finally {
				execFileSync("umount", ["-l", run]);
			}
		}),
	);

const planted: Readonly<Record<string, { readonly plant: (file: string) => void; readonly words: RegExp }>> = {
	"that every user may write": {
		plant: (file) => chmodSync(file, 0o666),
		words: /others than you may read or write it/,
	},
	"that every user may read": {
		plant: (file) => chmodSync(file, 0o644),
		words: /others than you may read or write it/,
	},
	"that belongs to another user": { plant: (file) => chownSync(file, 65_534, 65_534), words: /another user owns it/ },
};

for (const [which, { plant, words }] of Object.entries(planted))
	test.skipIf(process.getuid?.() !== 0)(`a cookie ${which} is not used`, () =>
		withWorkspace(WRONG_PROJECT, async (ws) => {
			const directory = join(ws.base, "run/pi-lsp");
			mkdirSync(directory, { mode: 0o700 });
			const cookie = join(directory, "cookie");
			writeFileSync(cookie, "0".repeat(64), { mode: 0o600 });
			plant(cookie);
			const { code, stderr } = await ws.cli(["check", "src/a.ts"]);
			expect(stderr).toMatch(words);
			expect(stderr).toContain(`Remove ${cookie}`);
			expect(code).toBe(3);
			rmSync(cookie);
			expect(isRight(await ask(ws))).toBe(true);
		}),
	);
