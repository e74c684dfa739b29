import type { CheckReport } from "../../contract/check-report.ts";
import { asLspError, LspError } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import type { AwaitChangeResult } from "../../contract/protocol.ts";
import { count } from "../../render/count.ts";
import type { FormatName } from "../../render/formats/index.ts";
import type { Values } from "../tools/command-line.ts";
import { readBaseline, withoutKnown, writeBaseline } from "./baseline.ts";
import { type Places, placesOf, printReport } from "./check-report.ts";
import { clearScreen, printAside } from "./print.ts";

export interface CheckRun {
	readonly operation: AnyOperation;
	readonly input: Readonly<Record<string, unknown>>;
	readonly values: Values;
	readonly format: FormatName;
	request(operation: string, input: unknown): Promise<unknown>;
	/** `since` is in ms since 1970. */
	awaitChange(since: number, signal: AbortSignal): Promise<AwaitChangeResult>;
	text(report: CheckReport): string;
}

const defaultBaseline = "pi-lsp-baseline.json";
const noFix = new Set(["LSP_UNSUPPORTED_REQUEST", "LSP_EDIT_REFUSED", "LSP_UNSUPPORTED_FILE"]);

export async function runCheck(run: CheckRun): Promise<number> {
	if (run.values.watch !== true) return (await checkOnce(run)).code;
	const end = new AbortController();
	const over = new Promise<void>((resolve) => {
		process.once("SIGINT", () => {
			resolve();
			end.abort();
		});
	});
	for (;;) {
		const since = Date.now();
		if (process.stdout.isTTY) clearScreen();
		const { code } = await checkOnce(run);
		printAside("Waiting for changes; Ctrl-C ends.");
		let changed = false;
		while (!changed && !end.signal.aborted) {
			const waited = await Promise.race([over, run.awaitChange(since, end.signal)]);
			changed = waited?.changed ?? false;
		}
		if (end.signal.aborted) return code;
	}
}

async function checkOnce(run: CheckRun): Promise<{ readonly code: number }> {
	const { operation, values, format } = run;
	const places = await placesOf(process.cwd());
	const begunAt = performance.now();
	const found = await ask(run);
	const report = values.fix === true && (await fixFiles(run, found)) > 0 ? await ask(run) : found;
	const ms = performance.now() - begunAt;
	if (values["write-baseline"] === true) return { code: await keepBaseline(report, values, places) };
	const name = values.baseline as string | undefined;
	const baseline = name === undefined ? undefined : await readBaseline(name);
	if (name !== undefined && baseline === undefined)
		throw new LspError("LSP_FILE_NOT_FOUND", `${name} does not exist.`, {
			suggestion: "`--write-baseline` writes it.",
		});
	const { report: shown, known, gone } = await withoutKnown(name ?? defaultBaseline, report, baseline ?? [], places);
	await printReport(shown, format, { ...places, ms, known }, run.text);
	if (known > 0 && format === "agent") printAside(`${count(known, "finding is", "findings are")} in ${name}.`);
	if (gone > 0)
		printAside(
			`${count(gone, "finding", "findings")} of ${name} ${gone === 1 ? "is" : "are"} gone; --write-baseline writes it anew.`,
		);
	const note = operation.note?.(shown as never);
	if (note !== undefined) printAside(note);
	return { code: operation.exitCode?.(shown as never) ?? 0 };
}

async function ask({ operation, input, request }: CheckRun): Promise<CheckReport> {
	if (Array.isArray(input.files) && input.files.length === 0)
		return { files: [], servers: [], omitted: { diagnostics: 0, files: 0 } };
	return (await request(operation.name, input)) as CheckReport;
}

async function keepBaseline(report: CheckReport, { baseline }: Values, places: Places): Promise<number> {
	const name = (baseline as string | undefined) ?? defaultBaseline;
	const kept = await writeBaseline(name, report, (await readBaseline(name)) ?? [], places);
	const unproven = report.files.filter(({ state }) => state !== "fresh").length + report.omitted.files;
	printAside(`${name} has ${count(kept, "finding", "findings")} now.`);
	if (unproven > 0) printAside(`${count(unproven, "file was", "files were")} not proven; what it had of that stays.`);
	return unproven > 0 || report.omitted.diagnostics > 0 || report.omitted.unsearched ? 3 : 0;
}

async function fixFiles({ request }: CheckRun, { files }: CheckReport): Promise<number> {
	let fixed = 0;
	for (const { path, diagnostics } of files) {
		if (diagnostics.length === 0) continue;
		try {
			await request("fix", { file: path, all: true });
			fixed++;
		} catch (thrown) {
			const error = asLspError(thrown);
			if (!noFix.has(error.code)) throw thrown;
		}
	}
	if (fixed > 0)
		printAside(
			`Fixed what a server mends by itself in ${count(fixed, "file", "files")}; \`pi-lsp undo\` takes it back.`,
		);
	return fixed;
}
