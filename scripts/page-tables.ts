/**
 * The tables of the documents that repeat declarations: the rows between `<!-- NAME -->` and `<!-- end NAME -->`, below
 * their head. `fill-pages.ts` writes them.
 */
import { readFileSync } from "node:fs";
import { type ServerConfig, servers } from "../server.ts";
import { operations } from "../src/operations/index.ts";
import { serverFieldRows, settingRows } from "./config-schema.ts";

interface PageTable {
	/** Relative to the repository's root. */
	readonly page: string;
	readonly rows: readonly string[];
}

const maxFiles = 4;

const operationRows = operations.map(({ name, title, positional = [], core }) => {
	const words = positional.map((word) => word.toUpperCase()).join(" ");
	return `| \`${[name, words].join(" ").trim()}\` | ${title} | ${core ? `\`lsp_${name}\`` : ""} |`;
});

const serverRows = servers.map((server) => {
	const { id, match, names = [], patterns = [], strategy, diagnoses = true, prerequisites = [] } = server;
	const files = [...match, ...(match.length < maxFiles ? [...names, ...patterns] : [])];
	const shown = files.filter((file) => !file.startsWith("!")).map((file) => file.replaceAll("*", "\\*"));
	const more = shown.length > maxFiles ? ", …" : "";
	const known = diagnoses ? (strategy ?? "detected") : "no diagnostics";
	const cells = [
		id,
		`${shown.slice(0, maxFiles).join(", ")}${more}`,
		known,
		installed(server),
		prerequisites.join(", "),
	];
	return `| ${[...cells, withoutTrust(server)].join(" | ")} |`;
});

/** By the first package manager of its recipe; `pi-lsp doctor` shows which of them a machine has. */
function installed({ bundled, install }: ServerConfig): string {
	if (bundled) return "bundled";
	if (install === undefined || typeof install === "string") return install ? `\`${install}\`` : "";
	const { url, run, note = "", glibcOnly: _, ...managers } = install;
	const [first] = Object.entries(managers);
	const way = first ? `${first[0]}: \`${first[1].join(" ")}\`` : run ? `\`${run}\`` : url ? `[by hand](${url})` : "";
	return [way, note].filter(Boolean).join("; ").replaceAll("|", "\\|");
}

function withoutTrust({ runsRepositoryCode, restricted }: ServerConfig): string {
	if (restricted) return restricted.partial ? "restricted, finds less" : "restricted";
	return runsRepositoryCode ? "does not run" : "runs";
}

/** From the last figures of `npm run bench -- languages`. */
function passedRows(): string[] {
	const figures = readFileSync(new URL("../bench/README.md", import.meta.url), "utf8");
	const steps = /^\| (\S.*?) \((.*)\): steps reported wrongly +\| +\| (\d+) +\| (\d+) /gm;
	return [...figures.matchAll(steps)].map(([, language, project, wrong, all]) => {
		const result = wrong === "0" ? "passed" : `${wrong} wrong`;
		return `| ${[language, project, all, result].join(" | ")} |`;
	});
}

export const pageTables: Readonly<Record<string, PageTable>> = {
	operations: { page: "docs/commands.md", rows: operationRows },
	"passed languages": { page: "docs/languages.md", rows: passedRows() },
	servers: { page: "docs/servers.md", rows: serverRows },
	settings: { page: "docs/configuration.md", rows: settingRows },
	"server fields": { page: "docs/configuration.md", rows: serverFieldRows },
};

/** The text before a table's rows, the rows, and the text after them. */
export function splitTable(page: string, name: string): readonly [before: string, rows: string[], after: string] {
	const [start, end] = [`<!-- ${name} -->\n`, `<!-- end ${name} -->`];
	const from = page.indexOf(start) + start.length;
	const to = page.indexOf(end);
	if (from < start.length || to < from) throw new Error(`there is no table "${name}"`);
	const lines = page.slice(from, to).trimEnd().split("\n");
	return [`${page.slice(0, from)}${lines.slice(0, 2).join("\n")}\n`, lines.slice(2), page.slice(to)];
}
