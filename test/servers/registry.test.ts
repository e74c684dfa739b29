import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ServerConfig, servers } from "../../server.ts";
import { installerOf, installHint } from "../../src/launch/install.ts";
import { languageOf, matchesName } from "../../src/project/file-match.ts";
import { REPOSITORY } from "../support/repository.ts";

const ids = servers.map(({ id }) => id);
const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as {
	readonly dependencies: Readonly<Record<string, string>>;
};

function everyString(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(everyString) : [];
}

test("there are at least sixty servers, each with a name of its own", () => {
	expect(servers.length).toBeGreaterThanOrEqual(60);
	expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each([
	["typescript-language-server", "a.ts"],
	["gopls", "a.go"],
	["pyright", "a.py"],
	["pylsp", "a.py"],
	["rust-analyzer", "a.rs"],
	["clangd", "a.c"],
	["clangd", "a.cpp"],
	["jdtls", "A.java"],
	["eslint", "a.ts"],
	["haskell-language-server", "A.hs"],
	["csharp-ls", "A.cs"],
	["kotlin-lsp", "A.kt"],
	["sourcekit-lsp", "a.swift"],
	["zls", "a.zig"],
	["ruby-lsp", "a.rb"],
	["intelephense", "a.php"],
])("%s, which a specification names or implies, is present and is for %s", (id, file) => {
	const server = servers.find((candidate) => candidate.id === id);
	expect(server && matchesName(server, `/ws/${file}`)).toBe(true);
});

test.each(["typescript", "typescript-language-server", "vtsls", "pyright", "basedpyright", "pylsp"])(
	"%s stays for thirty minutes without a query",
	(id) => expect(servers.find((server) => server.id === id)?.idleMinutes).toBe(30),
);

describe.each(servers.map((server) => [server.id, server] as const))("%s", (_, server: ServerConfig) => {
	test("has a name, a command and files that can be found", () => {
		expect(server.id).toMatch(/^[a-z][a-z0-9_-]*$/);
		for (const { command, args } of [server, ...(server.candidates ?? [])]) {
			expect(command).toMatch(/^[\w.-]+$/);
			for (const arg of args) expect(arg).toMatch(/./);
		}
		for (const extension of server.match) expect(extension).toMatch(/^[^./*A-Z]+$/);
		for (const name of server.names ?? []) expect(name).toMatch(/^[^/*]+$/);
		for (const pattern of server.patterns ?? []) expect(pattern).toMatch(/^!?[^!]*\*[^!]*$/);
		for (const name of server.shebangs ?? []) expect(name).toMatch(/^[A-Za-z][\w-]*[A-Za-z]$|^[a-z]$/);
		expect(server.match.length + (server.names?.length ?? 0) + (server.patterns?.length ?? 0)).toBeGreaterThan(0);
	});

	test("gives each of its files a language id, and no other names one", () => {
		for (const extension of server.match) expect(languageOf(server, `/ws/x.${extension}`)).toMatch(/^[a-z][\w. +-]*$/);
		if (typeof server.languageId === "string") return;
		const fallback = server.languageId["*"] !== undefined;
		for (const extension of server.match) expect(fallback || server.languageId[extension], extension).toBeTruthy();
		const foreign = Object.keys(server.languageId).filter(
			(key) =>
				key !== "*" &&
				!server.match.includes(key) &&
				!matchesName(server, `/ws/${key.replaceAll("*", "x")}`) &&
				// A table that servers share may contain more than one of them needs.
				!["typescript", "javascript", "vue", "svelte", "astro"].includes(server.languageId[key as never] ?? ""),
		);
		expect(foreign).toEqual([]);
	});

	test("is found by a root, or works on loose files", () => {
		expect(server.rootMarkers.length).toBeGreaterThan(0);
		for (const marker of server.rootMarkers) expect(marker).toMatch(/^[^/]+$/);
		expect(server.rootMarkers.some((marker) => marker !== ".git") || server.looseFiles).toBeTruthy();
	});

	test("has instructions for its installation and a link to its documentation", () => {
		expect(installHint(server, "")).toMatch(/^(see https:\/\/|[a-zA-Z-]+ )\S/);
		expect(server.homepage).toMatch(/^https:\/\/\S+[^/]$/);
	});

	test("is added to others only if the project shows that it uses it", () => {
		if (server.role && server.role !== "language") {
			expect(server.usedBy).toBeDefined();
			expect(server.looseFiles).toBeFalsy();
			expect(server.alternative).toBeUndefined();
		}
		if (server.exclusive || server.notUsedBy) expect(server.usedBy).toBeDefined();
		if (server.alternative) {
			const others = servers.filter(({ alternative }) => alternative === server.alternative);
			expect(others.length).toBeGreaterThan(1);
			// At least one server has to answer for a project without any settings.
			expect(others.some(({ exclusive }) => !exclusive)).toBe(true);
		}
	});

	test("names only existing files of the repository, and times above zero", () => {
		const texts = everyString([server.args, server.initializationOptions, server.settings]);
		for (const [, name = ""] of texts.flatMap((text) => [...text.matchAll(/\{package:([^}]*)\}/g)]))
			expect(Object.keys(manifest.dependencies)).toContain(name);
		for (const minutes of [server.idleMinutes, server.initializeSeconds, server.wedgedSeconds])
			if (minutes !== undefined) expect(minutes).toBeGreaterThan(0);
		// A server with a slow start has no less time for it than any other.
		expect(server.initializeSeconds ?? 300).toBeGreaterThanOrEqual(300);
		expect(server.prerequisites ?? []).not.toContain(server.command);
		// Settings for one caller must be requested with the same program.
		if (server.restricted?.unless) expect(server.runsRepositoryCode).toBe(true);
	});
});

test.each([
	"rust-analyzer",
	"pyrefly",
	"fortls",
	"prisma-language-server",
	"eslint",
	"jdtls",
	"kotlin-lsp",
	"metals",
	"csharp-ls",
	"elixir-ls",
	"haskell-language-server",
	"ruby-lsp",
	"sourcekit-lsp",
	"zls",
	"tailwindcss",
	"svelte-language-server",
	"terraform-ls",
	"perlnavigator",
])("%s runs code of a repository, and its entry states it", (id) => {
	expect(servers.find((server) => server.id === id)?.runsRepositoryCode).toBe(true);
});

describe("language ids", () => {
	const id = (server: string, file: string, interpreter?: string) =>
		languageOf(servers.find((candidate) => candidate.id === server) as ServerConfig, `/ws/${file}`, interpreter);

	test.each([
		["typescript", "a.tsx", "typescriptreact"],
		["typescript", "a.jsx", "javascriptreact"],
		["typescript", "a.MTS", "typescript"],
		["clangd", "a.h", "c"],
		["clangd", "a.hpp", "cpp"],
		["clangd", "a.mm", "objective-cpp"],
		["json-language-server", "a.json", "json"],
		["json-language-server", "tsconfig.json", "jsonc"],
		["json-language-server", "tsconfig.build.json", "jsonc"],
		["json-language-server", ".vscode/settings.json", "jsonc"],
		["json-language-server", "settings.json", "json"],
		["json-language-server", ".babelrc", "jsonc"],
		["terraform-ls", "a.tfvars", "terraform-vars"],
		["terraform-ls", "a.tf", "terraform"],
		["ocamllsp", "a.mli", "ocaml.interface"],
		["docker-langserver", "Dockerfile.dev", "dockerfile"],
	])("%s calls %s %s", (server, file, language) => {
		expect(id(server, file)).toBe(language);
	});

	test("are given for an interpreter, and not for the properties of every object", () => {
		const server = { id: "x", languageId: { "#!node": "javascript", "*": "rest" } } as unknown as ServerConfig;
		expect(languageOf(server, "/ws/run", "node")).toBe("javascript");
		expect(languageOf(server, "/ws/run.constructor", "toString")).toBe("rest");
		expect(languageOf({ ...server, languageId: {} }, "/ws/a.constructor")).toBe("x");
	});
});

/** A directory with nothing but these programs, as a PATH. */
function pathWith(...programs: readonly string[]): string {
	const directory = mkdtempSync(join(tmpdir(), "pl-path-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	for (const program of programs) writeFileSync(join(directory, program), "", { mode: 0o755 });
	return directory;
}

describe("a recipe is shown as the command of its first package manager that the machine has", () => {
	const all = "npm pip go cargo rustup apt-get brew gem dotnet composer".split(" ");
	test.each([
		["npm install -g pyright", { npm: ["pyright"], brew: ["pyright"] }],
		["pip install ruff", { pip: ["ruff"] }],
		["go install golang.org/x/tools/gopls@latest", { go: ["golang.org/x/tools/gopls@latest"] }],
		["cargo install a b", { cargo: ["a", "b"] }],
		["rustup component add rust-analyzer", { rustup: ["rust-analyzer"] }],
		["apt-get install clangd", { apt: ["clangd"] }],
		["brew install llvm", { brew: ["llvm"] }],
		["gem install ruby-lsp", { gem: ["ruby-lsp"] }],
		["dotnet tool install --global csharp-ls", { dotnet: ["csharp-ls"] }],
		["composer global require x", { run: "composer global require x" }],
		["see https://x.example", { url: "https://x.example" }],
		["brew install x", { brew: ["x"], url: "https://x.example" }],
		["any words", "any words"],
		[undefined, undefined],
		[undefined, {}],
	])("%s", (command, install) => {
		expect(installHint(install === undefined ? {} : { install }, pathWith(...all))).toBe(command);
	});

	const homepage = "https://x.example";
	test.each([
		["of several the one that is there", ["go"], { npm: ["x"], go: ["y@v1"] }, "go install y@v1", "go"],
		["Python's pip without a program of that name", ["python3"], { pip: ["x"] }, "pip install x", "pip"],
		[
			"no Homebrew where there is none",
			[],
			{ brew: ["x"], url: "https://y.example" },
			"see https://y.example",
			undefined,
		],
		[
			"no apt either, and then the server's own page",
			[],
			{ brew: ["x"], apt: ["x"] },
			"see https://x.example",
			undefined,
		],
		[
			"a page before what lacks its program",
			[],
			{ go: ["x@v1"], url: "https://y.example" },
			"see https://y.example",
			undefined,
		],
		[
			"else what is missing",
			["brew-not"],
			{ brew: ["x"], go: ["x@v1"] },
			"go install x@v1 (go is not installed)",
			"go",
		],
		["else what a command line lacks", [], { run: "cpanm PLS" }, "cpanm PLS (cpanm is not installed)", "cpanm"],
	] as const)("%s", (_, programs, install, hint, program) => {
		const path = pathWith(...programs);
		expect(installHint({ install, homepage }, path)).toBe(hint);
		expect(installerOf({ install, homepage }, path)).toBe(program);
	});

	test("except for a package that holds programs for glibc only, on musl", () => {
		const report = vi.spyOn(process.report, "getReport");
		const recipe = { install: { npm: ["x"], cargo: ["x"], glibcOnly: ["npm"] }, homepage } as const;
		const path = pathWith("npm", "cargo");
		report.mockReturnValue({ header: { glibcVersionRuntime: "2.36" } } as never);
		expect(installHint(recipe, path)).toBe("npm install -g x");
		report.mockReturnValue({ header: {} } as never);
		expect(installHint(recipe, path)).toBe(process.platform === "linux" ? "cargo install x" : "npm install -g x");
		report.mockRestore();
	});
});

describe("the versions in recipes", () => {
	test("are exact, in the form of their package manager", () => {
		const forms: Readonly<Record<string, RegExp>> = {
			npm: /^(@[\w-]+\/)?[\w-]+(@\d+\.\d+\.\d+)?$/,
			pip: /^[\w-]+(==[\w.]+)?$/,
			go: /@(latest|v\d+\.\d+\.\d+)$/,
		};
		const bundled = servers.filter((server) => server.bundled).map(({ id }) => id);
		const wrong = servers.flatMap(({ id, install = {} }) =>
			bundled.includes(id)
				? []
				: Object.entries(forms).flatMap(([manager, form]) =>
						((install as Record<string, readonly string[]>)[manager] ?? []).filter((words) => !form.test(words)),
					),
		);
		expect(wrong).toEqual([]);
	});

	test("are those that the tests install, and no other file has any", () => {
		const script = readFileSync(join(REPOSITORY, "scripts/install-servers.mjs"), "utf8");
		const pinned = servers.filter(
			({ install, bundled }) => !bundled && /@v?\d|==\d/.test(JSON.stringify(install ?? "")),
		);
		expect(pinned.length).toBeGreaterThan(30);
		for (const { id, install } of pinned) {
			const packages = Object.values(install as Record<string, readonly string[]>).flat();
			const shared = pinned.some(
				(other) => script.includes(`"${other.id}"`) && JSON.stringify(other.install) === JSON.stringify(install),
			);
			expect.soft(shared, id).toBe(true);
			for (const words of packages.filter((each) => /@v?\d|==\d/.test(each))) expect.soft(script).not.toContain(words);
		}
	});
});
