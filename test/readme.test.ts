import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { pageTables, splitTable } from "../scripts/page-tables.ts";
import { servers } from "../server.ts";
import { readConfig } from "../src/config/config-file.ts";
import { noExtension } from "../src/contract/extension.ts";
import { faceOptions } from "../src/faces/cli/check-options.ts";
import { commands } from "../src/faces/cli/commands.ts";
import { inputOf, parseWords } from "../src/faces/tools/command-line.ts";
import { extensionOperations } from "../src/operations/extension-operations.ts";
import { operations } from "../src/operations/index.ts";
import { REPOSITORY } from "./support/repository.ts";

const read = (page: string) => readFileSync(join(REPOSITORY, page), "utf8");
const documents = readdirSync(join(REPOSITORY, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
	name.endsWith(".md"),
);
const pages = ["README.md", "SECURITY.md", "CONTRIBUTING.md", ...documents.map((name) => `docs/${name}`)];

describe("tables of declarations", () => {
	const rows = (name: string) => splitTable(read(pageTables[name]?.page ?? ""), name)[1];

	test.each(Object.entries(pageTables))("have the declared %s", (name, { rows: declared }) => {
		expect(rows(name), "node scripts/run-ts.mjs scripts/fill-pages.ts writes them anew").toEqual(declared);
		for (const row of declared) expect(row).not.toMatch(/undefined|\n/);
	});

	test("have the facts that a reader looks for", () => {
		const firstCells = (name: string) => rows(name).map((row) => row.split("|")[1]?.trim());
		expect(firstCells("servers")).toEqual(servers.map(({ id }) => id));
		expect(rows("servers")[0]).toBe("| typescript | ts, tsx, mts, cts, … | pull | bundled |  | runs |");
		expect(rows("servers")).toContainEqual(
			expect.stringMatching(/^\| pyright \| py, pyi \| pull \| npm: `pyright@[\d.]+` \| {2}\| /),
		);
		expect(firstCells("operations")).toHaveLength(operations.length);
		expect(rows("passed languages")).toContain("| Go | cobra 1.8.1 | 6 | passed |");
		expect(rows("settings")).toContainEqual(
			expect.stringMatching(/^\| `coldMs` \| number above 0 \| `10000` \| yes \| /),
		);
		expect(rows("server fields")).toContainEqual(
			expect.stringMatching(/^\| `environment`, `env` \| .* \| with trust \| /),
		);
	});
});

test("the README is short enough for one sitting", () => {
	expect(read("README.md").split("\n").length).toBeLessThanOrEqual(180);
});

describe("links", () => {
	const linksOf = (page: string) =>
		[...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, link = ""]) => link)
			.filter((link) => !/^[a-z]+:/.test(link))
			.map((link) => {
				const [path = "", heading] = link.split("#");
				const target = path === "" ? page : relative(REPOSITORY, join(REPOSITORY, dirname(page), path));
				return { link, target, heading };
			});

	test.each(pages)("of %s lead somewhere", (page) => {
		for (const { link, target, heading } of linksOf(page)) {
			expect(existsSync(join(REPOSITORY, target)), `${page}: ${link}`).toBe(true);
			if (heading !== undefined) expect(headingsOf(read(target)), `${page}: ${link}`).toContain(heading);
		}
	});

	test("of the README lead to files of the package", () => {
		const packed = ["package.json", ...manifest.files];
		const absent = linksOf("README.md").filter(
			({ target }) => !packed.some((file) => target === file || target.startsWith(`${file}/`)),
		);
		expect(absent).toEqual([]);
	});
});

describe("command lines", () => {
	const lines = pages.flatMap((page) => commandLinesOf(read(page)).map((line) => [page, line] as const));

	test("are in every page that gives instructions", () => {
		const covered = new Set(lines.map(([page]) => page));
		for (const page of ["README.md", "docs/ci.md", "docs/agents.md", "docs/servers.md"])
			expect(covered).toContain(page);
	});

	test.each(lines)("%s: pi-lsp %s", (_, line) => {
		expect(mistakeIn(line)).toBeUndefined();
	});
});

function withoutCode(page: string): string {
	return page.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
}

/** The anchors that GitHub makes of headings. */
function headingsOf(page: string): string[] {
	return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

/** The words after `pi-lsp` in blocks and in words of code; a form with alternatives is no command line. */
function commandLinesOf(page: string): string[] {
	const blocks = [...page.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, block = ""]) => block.split("\n"));
	const spans = [...page.replace(/^```.*?^```/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
	return [...blocks, ...spans].flatMap((line) => {
		const [, words = ""] = /(?:^|[\s"])(?:npx )?pi-lsp ([a-z][^#>|"]*)/.exec(line) ?? [];
		return words === "" || /[[\]…]|\w\|/.test(line.replace(/#.*/, "")) ? [] : [words.trim()];
	});
}

/** The tools of the package that docs/extending.md shows. */
const example = await readConfig(join(REPOSITORY, "test/extension/ini-keys/package.json"), "extension");
const ofExample = extensionOperations(example?.extension ?? noExtension);

/** The reason why the command line refuses it. */
function mistakeIn(line: string): string | undefined {
	const [name = "", ...args] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
	const operation = [...operations, ...ofExample].find((each) => each.name === name);
	if (operation) {
		try {
			const { values, positionals } = parseWords(operation, args, faceOptions(operation));
			inputOf(operation, values, positionals);
			return undefined;
		} catch (error) {
			return String(error);
		}
	}
	const command = commands[name];
	if (!command) return `there is no command ${name}`;
	const known = [
		"json",
		"no-daemon",
		"help",
		...Object.keys(command.options ?? {}).map((option) => option.split(" ")[0]),
	];
	const unknown = args.filter((arg) => arg.startsWith("--") && !known.includes(arg.slice(2).split("=")[0]));
	if (unknown.length > 0) return `${name} does not take ${unknown.join(" ")}`;
	const [verb] = args.filter((arg) => !arg.startsWith("-"));
	const verbs = /^[a-z]+(\|[a-z]+)+$/.test(command.usage) ? command.usage.split("|") : undefined;
	return verb && verbs && !verbs.includes(verb) ? `${name} has no verb ${verb}` : undefined;
}
