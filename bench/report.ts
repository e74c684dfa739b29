import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { CLI, REPOSITORY } from "../test/support/repository.ts";
import { type Figure, isMet, ratioOf } from "./figures.ts";
import type { Spread } from "./statistics.ts";

const readme = join(REPOSITORY, "bench/README.md");
const results = join(REPOSITORY, "bench/results");

const heads = ["what", "bare: median (p95)", "pi-lsp: median (p95)", "n", "ratio", "bar", "at most", "met"];

/** Runs a program of the bench with its arguments; exit code 2 when it fails. */
export async function runMain(main: (args: readonly string[]) => Promise<void>): Promise<void> {
	try {
		if (!existsSync(CLI)) throw new Error("dist/ is not built: run `npm install` first");
		await main(process.argv.slice(2));
	} catch (error) {
		process.exitCode = 2;
		// A failure contains whole conversations of pi; its cause is at the beginning.
		console.error((error instanceof Error ? error.message : String(error)).slice(0, 2_000));
	}
}

/** The heads and the rows of a benchmark's table. */
export function tableOf(figures: readonly Figure[]): string[][] {
	return [heads, ...figures.map(rowOf)];
}

function rowOf(figure: Figure): string[] {
	const { what, unit, bare, ours, bar } = figure;
	const ratio = ratioOf(figure);
	const met = isMet(figure);
	return [
		what,
		bare ? spreadText(bare, unit) : "",
		spreadText(ours, unit),
		String(ours.n),
		ratio === undefined ? "" : `${ratio.toFixed(2)} ×`,
		bar?.text ?? "",
		bar ? amount(bar.limit, unit) : "",
		met === undefined ? "" : met ? "yes" : "NO",
	];
}

function spreadText({ median, p95, n }: Spread, unit: Figure["unit"]): string {
	return n === 1 || unit === "" ? amount(median, unit) : `${amount(median, unit)} (${amount(p95, "")})`;
}

function amount(value: number, unit: Figure["unit"]): string {
	const digits = unit === "" && Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 0 : 1;
	return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}

/** The figures of a partial run, with those of the other parts from earlier runs first. */
export function withOthers(name: string, figures: readonly Figure[], partOf = ({ what }: Figure) => what): Figure[] {
	const parts = new Set(figures.map(partOf));
	return [...keptFigures(name).filter((figure) => !parts.has(partOf(figure))), ...figures];
}

/** The figures of the last run of a benchmark; none without one. */
export function keptFigures(name: string): Figure[] {
	try {
		return (JSON.parse(readFileSync(join(results, `${name}.json`), "utf8")) as { figures: Figure[] }).figures;
	} catch {
		return [];
	}
}

export function plainTable(rows: readonly (readonly string[])[]): string {
	return padded(rows)
		.map((row) => row.join("  "))
		.join("\n");
}

function padded(rows: readonly (readonly string[])[]): string[][] {
	const widths = heads.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
	return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}

/** The columns are padded as the formatter does it. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
	const [first = [], ...rest] = padded(rows);
	const rule = first.map((cell) => "-".repeat(cell.length));
	return [first, rule, ...rest].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** The parts of the machine that affect a ratio. */
export function machine(): string {
	return `${availableParallelism()} cores, Node ${process.version}`;
}

/** Writes a benchmark's figures as JSON, and as a table between its markers in bench/README.md. */
export function keep(name: string, figures: readonly Figure[]): void {
	mkdirSync(results, { recursive: true });
	const json = { name, machine: machine(), figures: figures.map((each) => ({ ...each, met: isMet(each) ?? null })) };
	writeFileSync(join(results, `${name}.json`), `${JSON.stringify(json, null, "\t")}\n`);
	const table = markdownTable(tableOf(figures));
	writeFileSync(readme, between(readFileSync(readme, "utf8"), name, `${table}\n\n(${machine()})`));
}

function between(text: string, name: string, content: string): string {
	const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end: ${name} -->`];
	const from = text.indexOf(begin);
	const to = text.indexOf(end);
	if (from < 0 || to < from) throw new Error(`bench/README.md has no place for the figures of ${name}`);
	return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}
