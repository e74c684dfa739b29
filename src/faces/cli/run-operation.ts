import type { CallerConfig } from "../../config/caller-config.ts";
import { readSettings } from "../../config/read-settings.ts";
import { dataWithHintsFor, LspError } from "../../contract/errors.ts";
import type { AnyOperation, NextStep } from "../../contract/operation.ts";
import type { AwaitChangeResult } from "../../contract/protocol.ts";
import { findDaemon } from "../../daemon/lifecycle/connect.ts";
import { operations } from "../../operations/index.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { pause } from "../../util/abort.ts";
import { Audit } from "../audit/audit.ts";
import { OperationCalls } from "../operation-calls.ts";
import { inputOf, parseWords, withPaths, withTexts } from "../tools/command-line.ts";
import { answerText, commandLine } from "../tools/format-answer.ts";
import { callerConfig, callerFor } from "./caller.ts";
import { faceOptions, formatOf, withIndex, withPatience } from "./check-options.ts";
import { runCheck } from "./check-run.ts";
import { helpFor, writeCommand } from "./help.ts";
import { print, printAside, printJson, printOver } from "./print.ts";
import { showCall, showWaiting } from "./waiting-line.ts";

const watchMs = 60_000;
const againMs = 1000;

export async function runOperation(operation: AnyOperation, args: readonly string[]): Promise<number> {
	const { values, positionals } = parseWords(operation, args, faceOptions(operation));
	if (values.help) return print(helpFor(operation));
	if (values.hosts === true) {
		const { examineHosts } = await import("./agents/hosts.ts");
		return examineHosts({ json: values.json === true, inProject: values.project === true });
	}
	if (process.env.PI_LSP === "0") throw new LspError("LSP_DISABLED", "pi-lsp is switched off (PI_LSP=0).");
	const given = await withTexts(operation, inputOf(operation, values, positionals));
	const format = operation.checks && formatOf(operation, values);
	const input = format ? withIndex(withPatience(operation, await withPaths(given, values), values)) : given;
	if (operation.effect === "control" && !operation.startsDaemon && !(await isRunning())) {
		if (values.json) return printJson({ daemon: null, servers: [], problems: [] });
		return print("The daemon is not running.");
	}
	const config = callerConfig(values.config as string | undefined);
	const caller = await showWaiting("starting the daemon", () => callerFor({ daemon: !values["no-daemon"] }));
	const calls = new OperationCalls(caller, new Audit(values["audit-log"] as string | undefined));
	try {
		const about = { cwd: process.cwd(), ...config };
		const call = { tool: operation.name, about };
		const request = async (name: string, asked: unknown) => {
			const output = await showCall(caller, about.cwd, (confirm) =>
				calls.run({ ...call, args: asked, confirm }, (ask) => ask(name, asked)),
			);
			return dataWithHintsFor(output, writeCommand);
		};
		const textOf = (output: unknown) => answerText(operation, output, input, writeNextStep);
		if (format) {
			await tellProblems(about);
			const awaitChange = (since: number, signal: AbortSignal) =>
				caller.call<AwaitChangeResult>("await_change", { ...about, since, wait: watchMs }, signal);
			return await runCheck({ operation, input, values, format, request, awaitChange, text: textOf });
		}
		if (operation.live && values.watch === true && process.stdout.isTTY && !values.json)
			return await showAgain(async () => textOf(harmlessData(await request(operation.name, input))));
		const output = (await request(operation.name, input)) as never;
		if (values.json) printJson(output);
		else print(textOf(harmlessData(output)));
		if (operation.needsDiagnostics) await tellProblems(about);
		const note = operation.note?.(output);
		if (note !== undefined) printAside(note);
		return operation.exitCode?.(output) ?? 0;
	} finally {
		await calls.audit.close();
		if (calls.audit.problem !== undefined) printAside(`Audit: ${calls.audit.problem}`);
		await caller.close();
	}
}

async function showAgain(textOfNow: () => Promise<string>): Promise<number> {
	let isOver = false;
	process.once("SIGINT", () => {
		isOver = true;
	});
	while (!isOver) {
		if (!(await isRunning())) return print("The daemon is not running.");
		printOver(`${await textOfNow()}\n\nCtrl-C ends.`);
		await pause(againMs);
	}
	return 0;
}

async function tellProblems({ cwd, config }: { readonly cwd: string; readonly config?: CallerConfig }): Promise<void> {
	const settings = await readSettings(cwd, { config, withoutTrust: true }).catch(() => undefined);
	for (const problem of settings?.problems ?? []) printAside(harmlessData(oneLine(problem)));
}

function writeNextStep({ operation: name, input }: NextStep): string {
	const operation = operations.find((known) => known.name === name);
	return operation ? commandLine(operation, input) : name;
}

async function isRunning(): Promise<boolean> {
	const client = await findDaemon();
	client?.close();
	return client !== undefined;
}
