import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { servers } from "../../server.ts";
import { type Attack, put, shell, type Target } from "../../test/live/attacks.ts";
import { folder, languages } from "../../test/live/languages.ts";
import type { Files } from "../../test/support/workspace.ts";
import { hostileAddress, hostileFiles } from "../../test/traces/hostile.ts";

/** The programs of such a tree write their names into `canary`; its addresses lead to `listener`. */
function armed(files: Files, { ws, canary, listener }: Target): Files {
	return Object.fromEntries(
		Object.entries(files).map(([name, text]) => {
			const isProgram = text.startsWith("#!") && text.includes("exit 0");
			const own = text.replaceAll(hostileAddress, listener).replaceAll("/tmp/evil-cache", join(ws.base, "home/evil"));
			return [name, isProgram ? shell(canary) : own];
		}),
	);
}

/** The alternatives of a server, which would be used instead of it. */
function rivalsOf(server: string): string[] {
	const own = servers.find(({ id }) => id === server);
	if (!own?.alternative) return [];
	return servers.filter(({ id, alternative }) => id !== server && alternative === own.alternative).map(({ id }) => id);
}

/** One tree for each server of the live tests. */
export const treeAttacks: readonly Attack[] = languages.map(
	({ server, program, prerequisite, project, file, right, packages = [] }) => ({
		title: `what ${server} runs, writes and fetches`,
		needs: [program, prerequisite].filter((name) => name !== undefined),
		file,
		disable: rivalsOf(server),
		lay: (target) => {
			put(target, armed({ ...project, [file]: right, ...hostileFiles(server) }, target));
			put(target, { "node_modules/.keep": "" });
			for (const name of packages)
				symlinkSync(join(folder, "node_modules", name), target.ws.path("node_modules", name));
		},
	}),
);

const programs =
	"bwrap git node npm sh cargo rustc rustup go python python3 java tsc clang cc shellcheck terraform".split(" ");

/** A clone is on the user's PATH, as `npm run`, direnv and editors add it. */
const onPath: readonly Attack[] = languages
	.filter(({ server }) => ["gopls", "rust-analyzer", "pyright", "bash-language-server", "typescript"].includes(server))
	.map(({ server, program, prerequisite, project, file, right }) => ({
		title: `programs of the clone before those that ${server} needs on PATH`,
		needs: [program, prerequisite].filter((name) => name !== undefined),
		file,
		base: "HEAD",
		variables: ({ ws }) => ({ PATH: `${ws.path("bin")}:./bin::.:${ws.path("node_modules/.bin")}` }),
		lay: (target) => {
			const evil = shell(target.canary);
			const names = [...programs, ...(program ? [program] : [])];
			const fakes = names.flatMap((name) => [`bin/${name}`, `node_modules/.bin/${name}`, name]);
			put(target, { ...project, [file]: right, ...Object.fromEntries(fakes.map((name) => [name, evil])) });
		},
	}));

/** Variables that a tool like direnv has set for the directory; all of them lead into it. */
const byVariables: readonly Attack[] = languages
	.filter(({ server }) => ["gopls", "rust-analyzer", "pyright", "clangd", "typescript"].includes(server))
	.map(({ server, program, prerequisite, project, file, right }) => ({
		title: `variables for ${server} that lead into the clone`,
		needs: [program, prerequisite].filter((name) => name !== undefined),
		file,
		variables: ({ ws }) => {
			const evil = ws.path("evil.sh");
			return {
				...{ NODE_PATH: ws.root, RUSTFLAGS: `-Clinker=${evil}`, CGO_CFLAGS: "-fplugin=./evil.so" },
				...{ CARGO_HOME: ws.path("cargo"), RUSTC: evil, RUSTC_WRAPPER: "./evil.sh", CARGO_BUILD_RUSTC: evil },
				...{ RUSTUP_TOOLCHAIN: ws.path("tool") },
				...{ GOFLAGS: `-toolexec=${evil}`, GOROOT: ws.path("go"), GOPACKAGESDRIVER: evil, CC: evil, PKG_CONFIG: evil },
				...{ GIT_DIR: ws.path("git"), GIT_SSH_COMMAND: evil, GIT_EXTERNAL_DIFF: evil },
				...{ VIRTUAL_ENV: ws.path(".venv"), PYTHONPATH: ws.root, PYTHONSTARTUP: ws.path("json.py"), CLANGD_FLAGS: "" },
				...{
					COMPILER_PATH: ws.root,
					CPATH: ws.root,
					BASH_ENV: evil,
					ENV: evil,
					JAVA_TOOL_OPTIONS: `-javaagent:${evil}`,
				},
			};
		},
		lay: (target) => {
			const evil = shell(target.canary);
			const names = [
				"evil.sh",
				"tool/bin/rust-analyzer",
				"tool/bin/cargo",
				"go/bin/go",
				".venv/bin/python",
				"cargo/bin/cargo",
			];
			put(target, {
				...{
					...project,
					[file]: right,
					"json.py": `open(${JSON.stringify(target.canary)}, "a").write("json.py\\n")\n`,
				},
				"evil.cjs": `require("node:fs").appendFileSync(${JSON.stringify(target.canary)}, "evil.cjs\\n");\n`,
				"cargo/config.toml": `[build]\nrustc = "${target.ws.path("evil.sh")}"\n`,
				...Object.fromEntries(names.map((name) => [name, evil])),
			});
		},
	}));

export const environmentAttacks: readonly Attack[] = [...onPath, ...byVariables];
