import { statSync } from "node:fs";
import type { TSchema } from "@sinclair/typebox";
import { LspError } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { doctor } from "../../operations/doctor.ts";
import { type FormatName, formatNames } from "../../render/formats/index.ts";
import type { Values } from "../tools/command-line.ts";
import { noneOf } from "../tools/option-mistake.ts";

const patientMs = 120_000;

const ownOptions = {
	format: t.oneOf(
		formatNames,
		`How findings are written: ${formatNames.join(", ")} (default: pretty on a terminal, else agent)`,
	),
	baseline: t.text("A file with known findings, which are left out"),
	"write-baseline": t.flag("Write what is found into that file (pi-lsp-baseline.json)"),
	fix: t.flag("Apply the fixes that servers prefer, and check again"),
	watch: t.flag("Check again after each change, until Ctrl-C"),
};
const hosts = t.flag("The coding agents that `init` knows instead: whether they are here, and what is set up in them");
const project = t.flag("With --hosts: what is set up in this project, for all who work on it");
const stdinPaths = t.flag("Paths are on standard input, one a line or with zero bytes between");

export function faceOptions({ name, checks, live, input }: AnyOperation): Readonly<Record<string, TSchema>> {
	if (live) return { watch: t.flag("Again each second on a terminal, until Ctrl-C") };
	if (name === doctor.name) return { hosts, project };
	if (!checks) return {};
	return { ...(input.properties.files ? { "stdin-paths": stdinPaths } : {}), ...ownOptions };
}

export function schemasOf(operation: AnyOperation): Readonly<Record<string, TSchema>> {
	return { ...operation.input.properties, ...faceOptions(operation) };
}

/** Throws LSP_INVALID_INPUT. */
export function formatOf({ name }: AnyOperation, { format, json }: Values): FormatName {
	if (format === undefined) return json ? "json" : process.stdout.isTTY ? "pretty" : "agent";
	const known = formatNames.find((each) => each === format);
	if (known) return known;
	throw new LspError("LSP_INVALID_INPUT", `${name}: format: ${noneOf(String(format), formatNames)}`);
}

/** Others than agents wait for all: the exit code must not depend on speed. */
export function withPatience(
	{ input: { properties } }: AnyOperation,
	input: Readonly<Record<string, unknown>>,
	{ format }: Values,
): Readonly<Record<string, unknown>> {
	if (input.timeout !== undefined || !properties.timeout) return input;
	const isAsked = format !== undefined && format !== "agent";
	const isBuild = !["", "0", "false"].includes(process.env.CI ?? "");
	const { files } = input;
	const areSingle = Array.isArray(files) ? files.every((file) => isFile(String(file))) : properties.files === undefined;
	return process.stdout.isTTY || isAsked || isBuild || !areSingle ? { ...input, timeout: patientMs } : input;
}

function isFile(path: string): boolean {
	const info = statSync(path, { throwIfNoEntry: false });
	return info?.isFile() ?? !/[*?[\]{}]/.test(path);
}

/** `git commit -a` has its own. */
export function withIndex(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const { GIT_INDEX_FILE: index } = process.env;
	return input.staged === true && input.index === undefined && index ? { ...input, index } : input;
}
