import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { withMcp } from "../faces/mcp/client.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const clean = "export const a: number = 1;\n";
const wrong = 'export const a: number = "1";\n';
const project = { ...TYPESCRIPT_PROJECT, "sub/a.ts": clean, "tsconfig.json": '{ "compilerOptions": { "types": [] } }' };

function git(ws: Workspace, cwd: string, ...args: readonly string[]): string {
	const author = ["-c", "user.email=a@example.org", "-c", "user.name=A", "-c", "protocol.file.allow=always"];
	return execFileSync("git", [...author, ...args], { cwd, env: ws.env, encoding: "utf8", stdio: "pipe" }).trim();
}

function commit(ws: Workspace, cwd = ws.root): void {
	git(ws, cwd, "init", "-q", "-b", "main", ".");
	git(ws, cwd, "add", "-A", "-f");
	git(ws, cwd, "commit", "-q", "-m", "first");
}

/** A script that records that it was run; its record is outside of the repository. */
function trap(ws: Workspace, file: string): string {
	mkdirSync(join(file, ".."), { recursive: true });
	writeFileSync(file, `#!/bin/sh\necho "$0 $*" >> '${marker(ws)}'\nexit 1\n`, { mode: 0o755 });
	return file;
}

const marker = (ws: Workspace) => join(ws.base, "was-run");

/** Makes the commit that HEAD names one that only a promisor remote could have. */
function loseHead(directory: string): void {
	writeFileSync(join(directory, "HEAD"), `${"1".repeat(40)}\n`);
}

const promisor =
	'[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n';

/** Each gives the working directory of the caller, and additional variables of its environment. */
const attacks: Readonly<
	Record<string, (ws: Workspace) => { readonly cwd: string; readonly env?: Record<string, string> }>
> = {
	"a bare repository that lies in a plain clone": (ws) => {
		loseHead(ws.path("sub"));
		for (const name of ["objects/k", "refs/k"]) ws.write(`sub/${name}`, "");
		trap(ws, ws.path("sub/evil.sh"));
		ws.write("sub/config", `${promisor}\turl = ./nowhere\n\tuploadpack = ./evil.sh\n[core]\n\tbare = true\n`);
		commit(ws);
		const cwd = join(ws.base, "clone");
		git(ws, ws.base, "clone", "-q", ws.root, cwd);
		return { cwd };
	},
	...Object.fromEntries(
		Object.entries({
			"an uploadpack, its protocol allowed by name": (file: string) =>
				`\turl = ./nowhere\n\tuploadpack = ${file}\n[protocol "file"]\n\tallow = always\n`,
			"a core.sshCommand": (file: string) =>
				`\turl = ssh://localhost/x\n[core]\n\tsshCommand = ${file}\n[protocol "ssh"]\n\tallow = always\n`,
			"a remote helper that is a command": (file: string) =>
				`\turl = ext::${file}\n[protocol "ext"]\n\tallow = always\n`,
			"a remote helper by its name": () => "\turl = x\n\tvcs = evil\n[protocol]\n\tallow = always\n",
		}).map(([name, more]) => [
			`${name} in the configuration of an unpacked .git`,
			(ws: Workspace) => {
				commit(ws);
				ws.write(".git/config", promisor + more(trap(ws, join(ws.base, "bin/git-remote-evil"))));
				loseHead(ws.path(".git"));
				return { cwd: ws.root, env: { PATH: [join(ws.base, "bin"), ws.env.PATH].join(delimiter) } };
			},
		]),
	),
	"hooks, a file system monitor, aliases, filters, a pager and drivers in the configuration of an unpacked .git": (
		ws,
	) => {
		const file = trap(ws, ws.path("evil.sh"));
		ws.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
		commit(ws);
		mkdirSync(ws.path("hooks"), { recursive: true });
		for (const hook of ["reference-transaction", "post-index-change", "post-checkout"])
			trap(ws, ws.path("hooks", hook));
		const sections = {
			core: {
				fsmonitor: file,
				hooksPath: ws.path("hooks"),
				pager: file,
				editor: file,
				askPass: file,
				sshCommand: file,
			},
			alias: { "rev-parse": `!${file}`, "ls-tree": `!${file}`, "cat-file": `!${file}` },
			'filter "evil"': { smudge: file, clean: file, process: file, required: "true" },
			'diff "evil"': { textconv: file, command: file },
			pager: { "cat-file": file, "ls-tree": file },
			credential: { helper: file },
		};
		const lines = Object.entries(sections).flatMap(([name, fields]) => [
			`[${name}]`,
			...Object.entries(fields).map(([key, value]) => `\t${key} = ${value}`),
		]);
		writeFileSync(ws.path(".git/config"), `${lines.join("\n")}\n`, { flag: "a" });
		return { cwd: ws.root };
	},
	"a git in node_modules/.bin, in front on PATH": (ws) => {
		trap(ws, ws.path("node_modules/.bin/git"));
		commit(ws);
		return { cwd: ws.root, env: { PATH: [ws.path("node_modules/.bin"), ws.env.PATH].join(delimiter) } };
	},
	"a git that a link on PATH leads to": (ws) => {
		const own = join(ws.base, "bin");
		mkdirSync(own);
		symlinkSync(trap(ws, ws.path("tools/git")), join(own, "git"));
		commit(ws);
		return { cwd: ws.root, env: { PATH: [own, ws.env.PATH].join(delimiter) } };
	},
	"variables of git in the caller's environment": (ws) => {
		commit(ws);
		const file = trap(ws, join(ws.base, "evil.sh"));
		const config = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: file };
		return {
			cwd: ws.root,
			env: { ...config, GIT_DIR: join(ws.base, "elsewhere"), GIT_EXEC_PATH: join(ws.base, "bin") },
		};
	},
};

describe("the option --base runs no program of a repository", () => {
	for (const [name, attack] of Object.entries(attacks))
		for (const face of ["the command line", "MCP"] as const)
			test(`on ${face}: ${name}`, () =>
				withWorkspace(project, async (ws) => {
					const { cwd, env = {} } = attack(ws);
					const options = { cwd, env: { ...ws.env, ...env } };
					if (face === "MCP")
						await withMcp(ws, options, ({ call }) => call("lsp_check", { files: ["sub/a.ts"], base: "HEAD" }));
					else await ws.cli(["check", "sub/a.ts", "--base", "HEAD"], options);
					expect(existsSync(marker(ws))).toBe(false);
				}));
});

/** True for each error of the file that is new since the revision. */
async function newSince(ws: Workspace, cwd: string, base: string, env = {}): Promise<unknown> {
	const args = ["check", "sub/a.ts", "--base", base, "--json", "--timeout", "20000"];
	const { stdout, stderr } = await ws.cli(args, { cwd, env: { ...ws.env, ...env } });
	const [file] = (JSON.parse(stdout) as Partial<CheckReport>).files ?? [];
	return file?.state === "fresh" ? file.diagnostics.map((item) => item.new) : stdout + stderr;
}

describe("the text of a revision is found in", () => {
	test("a repository, by HEAD, a tag and a commit, also if the directory is absent at that commit", () =>
		withWorkspace({ ...project, "sub/a.ts": wrong }, async (ws) => {
			commit(ws);
			git(ws, ws.root, "tag", "first");
			ws.write("sub/a.ts", `${wrong}export const b: number = "1";\n`);
			for (const base of ["HEAD", "first", git(ws, ws.root, "rev-parse", "HEAD")])
				expect(await newSince(ws, ws.root, base)).toEqual([false, true]);
			git(ws, ws.root, "mv", "sub", "old");
			git(ws, ws.root, "commit", "-q", "-m", "second");
			ws.write("sub/a.ts", wrong);
			expect(await newSince(ws, ws.root, "HEAD")).toEqual([true]);
			expect(await newSince(ws, ws.root, "first")).toEqual([false]);
			expect(await newSince(ws, ws.root, "nothing")).toMatch(/git knows no revision/);
		}));

	test("a repository, whatever git's variables of the caller are", () =>
		withWorkspace({ ...project, "sub/a.ts": wrong }, async (ws) => {
			commit(ws);
			const elsewhere = join(ws.base, "elsewhere");
			const env = { GIT_DIR: elsewhere, GIT_OBJECT_DIRECTORY: elsewhere, GIT_EXEC_PATH: elsewhere };
			expect(await newSince(ws, ws.root, "HEAD", env)).toEqual([false]);
		}));

	test("a linked worktree", () =>
		withWorkspace({ ...project, "sub/a.ts": wrong }, async (ws) => {
			commit(ws);
			const tree = join(ws.base, "tree");
			git(ws, ws.root, "worktree", "add", "-q", tree);
			expect(await newSince(ws, tree, "HEAD")).toEqual([false]);
		}));

	test("a submodule", () =>
		withWorkspace({ "README.md": "" }, async (ws) => {
			const inner = join(ws.base, "inner");
			for (const [file, text] of Object.entries({ ...project, "sub/a.ts": wrong })) {
				mkdirSync(join(inner, file, ".."), { recursive: true });
				writeFileSync(join(inner, file), text);
			}
			commit(ws, inner);
			commit(ws);
			git(ws, ws.root, "submodule", "add", "-q", inner, "module");
			expect(await newSince(ws, ws.path("module"), "HEAD")).toEqual([false]);
		}));

	test("a partial clone, which reports a missing text and fetches nothing", () =>
		withWorkspace({ ...project, "sub/a.ts": wrong }, async (ws) => {
			commit(ws);
			ws.write("sub/a.ts", clean);
			git(ws, ws.root, "commit", "-q", "-a", "-m", "second");
			git(ws, ws.root, "config", "uploadpack.allowFilter", "true");
			const partial = join(ws.base, "partial");
			git(ws, ws.base, "clone", "-q", "--filter=blob:none", `file://${ws.root}`, partial);
			expect(await newSince(ws, partial, "HEAD")).toEqual([]);
			expect(await newSince(ws, partial, "HEAD~1")).toMatch(/git has no text of sub\/a\.ts at \\"HEAD~1\\" here/);
		}));

	test("a repository whose git does not answer, which is reported in time, and git is ended", () =>
		withWorkspace(project, async (ws) => {
			commit(ws);
			const own = join(ws.base, "bin");
			mkdirSync(own);
			writeFileSync(join(own, "git"), "#!/bin/sh\nexec sleep 600\n");
			chmodSync(join(own, "git"), 0o755);
			const PATH = [own, ws.env.PATH].join(delimiter);
			expect(await newSince(ws, ws.root, "HEAD", { PATH })).toMatch(/git did not answer within/);
		}));
});
