import { basename, dirname, relative, resolve } from "node:path";
import picomatch from "picomatch";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";
import { LspError } from "../../contract/errors.ts";
import { joinEdits } from "../../planning/join-edits.ts";
import { type NewText, planNewText } from "../../planning/new-text.ts";
import { originOf } from "../../planning/origin.ts";
import { PlannedTree } from "../../planning/planned-tree.ts";
import { brokenSyntax } from "../../planning/symbols/syntax.ts";
import { type EditSummary, planEdit } from "../../planning/workspace-edit.ts";
import { workspaceOf } from "../../project/workspace-of.ts";
import type { FileQuery } from "../../query/file-query.ts";
import { displayPath } from "../../routing/locate.ts";
import { linesOf } from "../../util/positions.ts";
import { withoutMark } from "../../util/read-file.ts";
import type { Change, FileChange } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { realDirectory } from "../service.ts";

export interface PlanOptions {
	readonly title: string;
	readonly exclude?: readonly string[] | undefined;
	readonly confirmed?: boolean | undefined;
	/** False for a formatter. */
	readonly keepsLineEnds?: boolean;
	readonly dryRun?: boolean | undefined;
	/** Names the change when a file would no longer parse: `without Shop.total on line 9`. */
	readonly mustParse?: string;
}

/** Rejects with LSP_EDIT_REFUSED or LSP_FILE_CHANGED. */
export async function changeFor(
	asked: FileQuery,
	edits: readonly WorkspaceEdit[],
	{ title, exclude = [], confirmed, keepsLineEnds, mustParse }: PlanOptions,
): Promise<{ readonly change: Change; readonly summary: EditSummary }> {
	const { cwd, workspace } = asked;
	const { encoding } = asked.server;
	const tree = new PlannedTree({ workspace, encoding, ...(keepsLineEnds === undefined ? {} : { keepsLineEnds }) });
	const summary = await planEdit(joinEdits(edits), tree, {
		versionOf: (path) => asked.server.documents.get(path)?.version,
		excludes: matcher(exclude, workspace, cwd),
		...(confirmed ? { confirmed } : {}),
	});
	const change = await tree.finish(title);
	if (mustParse !== undefined)
		for (const file of change.files) await requireSyntax(file, displayPath(file.path, cwd), mustParse);
	requireKnownTexts(change, asked);
	return { change, summary };
}

/** Rejects like `planNewText`. */
export async function planTexts(
	{ params }: OperationCall,
	edit: NewText,
	title: string,
): Promise<{ readonly cwd: string; readonly change: Change }> {
	const cwd = await realDirectory(params.cwd);
	const tree = new PlannedTree({ workspace: await workspaceOf(cwd), encoding: "utf-16" });
	await planNewText(edit, tree, (name) => resolve(cwd, name));
	return { cwd, change: await tree.finish(title) };
}

/** Rejects with LSP_EDIT_REFUSED. `how`: see `mustParse`. */
export async function requireSyntax({ path, before, after }: FileChange, shown: string, how = ""): Promise<void> {
	if (!before || !after) return;
	const [old, next] = [before, after].map((bytes) => withoutMark(bytes.toString("utf8"))) as [string, string];
	const broken = await brokenSyntax(path, old, next);
	if (!broken) return;
	const line = linesOf(next)[broken.line - 1]?.trim() ?? "";
	const message = `${shown} would not parse any more${how === "" ? "" : ` ${how}`}: there is a syntax error on line ${broken.line}, ${JSON.stringify(line.slice(0, 100))}.`;
	throw new LspError("LSP_EDIT_REFUSED", message, { file_path: path, line: broken.line });
}

/** Positions are of the server's text. Throws LSP_FILE_CHANGED. */
export function requireKnownTexts({ files, moves }: Change, { server, cwd }: FileQuery): void {
	for (const { path, before } of files) {
		const origin = originOf(path, moves);
		const known = server.documents.get(origin)?.text;
		if (known === undefined || known === withoutMark(before?.toString("utf8") ?? "")) continue;
		const message = `${displayPath(origin, cwd)} has changed while ${server.config.id} was asked.`;
		throw new LspError("LSP_FILE_CHANGED", message, { file_path: origin });
	}
}

export function summaryFor({ places, unconfirmed, excluded }: EditSummary, cwd: string) {
	const counts = [...places].map(([path, count]) => [displayPath(path, cwd), count] as const);
	return { places: Object.fromEntries(counts), unconfirmed, excluded: excluded.map((path) => displayPath(path, cwd)) };
}

/** A glob without a slash matches names anywhere; a directory all below it. */
export function matcher(globs: readonly string[], workspace: string, cwd: string): (path: string) => boolean {
	const tests = globs.map((glob) => {
		const plain = glob.replace(/^\.?\//, "").replace(/\/$/, "");
		return picomatch([plain, `${plain}/**`, ...(plain.includes("/") ? [] : [`**/${plain}/**`])], { dot: true });
	});
	const names = globs.filter((glob) => !glob.includes("/")).map((glob) => picomatch(glob, { dot: true }));
	return (path) =>
		[workspace, cwd].some((base) => tests.some((matches) => matches(relative(base, path)))) ||
		names.some((matches) => matches(basename(path)) || matches(basename(dirname(path))));
}
