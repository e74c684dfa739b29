/**
 * The tables of the README that say what is declared elsewhere: the rows between `<!-- NAME -->` and `<!-- end NAME -->`,
 * under a head that stands there. `fill-readme.ts` writes them.
 */
import { servers } from "../server.ts";
import { operations } from "../src/operations/index.ts";

const maxFiles = 4;

/** The rows of each table, by its name. */
export const readmeTables: Readonly<Record<string, readonly string[]>> = {
	operations: operations.map(({ name, title, positional = [], core }) => {
		const words = positional.map((word) => word.toUpperCase()).join(" ");
		return `| \`${[name, words].join(" ").trim()}\` | ${title} | ${core ? `\`lsp_${name}\`` : ""} |`;
	}),
	servers: servers.map(({ id, match, names = [], patterns = [], strategy, diagnoses = true }) => {
		const files = [...match, ...(match.length < maxFiles ? [...names, ...patterns] : [])];
		const shown = files.filter((file) => !file.startsWith("!")).map((file) => file.replaceAll("*", "\\*"));
		const more = shown.length > maxFiles ? ", …" : "";
		const known = diagnoses ? (strategy ?? "detected") : "no diagnostics";
		return `| ${id} | ${shown.slice(0, maxFiles).join(", ")}${more} | ${known} |`;
	}),
};

/** A table of a README: what stands before its rows, the rows, and what stands behind them. */
export function splitTable(readme: string, name: string): readonly [before: string, rows: string[], after: string] {
	const [start, end] = [`<!-- ${name} -->\n`, `<!-- end ${name} -->`];
	const from = readme.indexOf(start) + start.length;
	const to = readme.indexOf(end);
	if (from < start.length || to < from) throw new Error(`the README has no table "${name}"`);
	const lines = readme.slice(from, to).trimEnd().split("\n");
	return [`${readme.slice(0, from)}${lines.slice(0, 2).join("\n")}\n`, lines.slice(2), readme.slice(to)];
}
