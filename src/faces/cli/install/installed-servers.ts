import { asLspError, describeError, LspError, withHintFor } from "../../../contract/errors.ts";
import {
	describeInstalled,
	type Installed,
	installedCalled,
	type ListedServer,
	listInstalled,
} from "../../../install/list.ts";
import type { Machine } from "../../../install/plan.ts";
import { remove } from "../../../install/run.ts";
import { columns } from "../../../render/status/columns.ts";
import { megabytes } from "../../../render/status/status.ts";
import { harmlessError } from "../../tools/format-answer.ts";
import { writeCommand } from "../help.ts";
import { print, printAside, printJson } from "../print.ts";
import type { InstallOptions } from "./options.ts";

export async function listServers({ servers, env }: Machine, { words, json }: InstallOptions): Promise<number> {
	const all = await listInstalled(servers, env);
	const wanted =
		words.length === 0 ? all : all.filter((one) => words.some((word) => installedCalled(word, all).includes(one)));
	const listed = await Promise.all(wanted.map(describeInstalled));
	return json ? printJson({ servers: listed }) : print(listText(listed, words));
}

function listText(listed: readonly ListedServer[], words: readonly string[]): string {
	if (listed.length === 0)
		return words.length === 0
			? "Nothing is installed by pi-lsp. `pi-lsp doctor` names what a project lacks."
			: `${words.join(", ")} ${words.length === 1 ? "is" : "are"} not installed by pi-lsp.`;
	const rows = listed.map(({ id, version, bytes, package: name, manager, folder, update }) => [
		id,
		version ?? "version unknown",
		megabytes(bytes),
		name === undefined ? "" : `${name} (${manager})`,
		folder,
		update === undefined ? "" : updateText(update),
	]);
	const known = listed.filter(({ update }) => update !== undefined && update !== "latest").length;
	return [
		...columns(rows),
		...(known > 0 ? ["`pi-lsp install --update` takes the versions that were tested."] : []),
	].join("\n");
}

function updateText(update: string): string {
	return update === "latest" ? "--update asks for a newer one" : `tested by now: ${update}`;
}

export async function removeServers(
	{ servers, env }: Machine,
	{ words, json, dryRun }: InstallOptions,
): Promise<number> {
	const all = await listInstalled(servers, env);
	const done: { readonly id: string; readonly folder: string }[] = [];
	const errors: LspError[] = [];
	for (const word of words)
		try {
			for (const { id, folder } of named(word, all)) {
				if (!dryRun) await remove(id, folder);
				done.push({ id, folder });
				if (!json) print(dryRun ? `${id} would be removed: ${folder}` : `${id} is removed: ${folder}`);
			}
		} catch (thrown) {
			const error = withHintFor(asLspError(thrown), writeCommand);
			errors.push(error);
			if (!json) printAside(describeError(harmlessError(error)));
		}
	if (json) printJson({ removed: done, errors });
	if (errors.length === 0) return 0;
	return errors.some(({ code }) => code !== "LSP_INVALID_INPUT") ? 3 : 2;
}

function named(word: string, all: readonly Installed[]): readonly Installed[] {
	const found = installedCalled(word, all);
	if (found.length > 0) return found;
	const ids = all.map(({ id }) => id).join(", ");
	throw new LspError("LSP_INVALID_INPUT", `install: ${word} was not installed by pi-lsp.`, {
		suggestion: ids ? `These were: ${ids}.` : "Nothing was.",
	});
}
