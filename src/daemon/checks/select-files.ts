import { relative, resolve, sep } from "node:path";
import { changedFiles } from "../../changes/git-changes.ts";
import type { Settings } from "../../config/read-settings.ts";
import type { PassedOver } from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { nameTest } from "../../project/file-match.ts";
import { isForeign } from "../../project/root.ts";
import { displayPath, inWorkspace } from "../../routing/locate.ts";
import { realPathOf, statOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import { globTest } from "../../watch/globs.ts";
import { exclusion } from "../../watch/ignores.ts";
import { walk } from "../../watch/walk.ts";
import type { OperationCall } from "../operation-context.ts";

export interface FileSelection {
	readonly files?: readonly string[] | undefined;
	/** Adds files that differ from HEAD or `base`, on disk or in the index. */
	readonly changed?: boolean | undefined;
	readonly staged?: boolean | undefined;
	/** With `staged`; relative to the caller's directory. */
	readonly index?: string | undefined;
	readonly base?: string | undefined;
	/** As in `.gitignore`, relative to the workspace. */
	readonly exclude?: readonly string[] | undefined;
	readonly allow_nothing?: boolean | undefined;
}

export interface SelectedFiles {
	readonly files: readonly string[];
	readonly passed: readonly PassedOver[];
	/** A check of nothing is no success then. */
	readonly isNamed: boolean;
}

const maxNamed = 5;
const maxListBytes = 1024 ** 2;

export class PassedFiles {
	readonly #byReason: Map<string, { files: number; readonly paths: string[] }>;

	constructor(passed: readonly PassedOver[] = []) {
		this.#byReason = new Map(passed.map(({ reason, files, paths }) => [reason, { files, paths: [...paths] }]));
	}

	add(reason: string, path: string): void {
		const known = this.#byReason.get(reason) ?? { files: 0, paths: [] };
		this.#byReason.set(reason, known);
		known.files++;
		if (known.paths.length < maxNamed) known.paths.push(path);
	}

	all(): PassedOver[] {
		return [...this.#byReason].map(([reason, { files, paths }]) => ({ reason, files, paths }));
	}
}

/** Rejects with LSP_FILE_NOT_FOUND if nothing named exists, LSP_INVALID_INPUT as git does, and like `inWorkspace`. */
export async function selectFiles(call: OperationCall, selection: FileSelection): Promise<SelectedFiles> {
	const { files = [], changed, staged, base, exclude = [], allow_nothing: allowNothing = false } = selection;
	const settings = await call.settings();
	const { directory: cwd, workspace } = settings;
	const selected = new Map<string, string>();
	const passed = new PassedFiles();
	const missing: { readonly given: string; readonly reason: string }[] = [];
	let whyPassed: ReturnType<typeof passingOver> | undefined;
	const add = (path: string) => {
		whyPassed ??= passingOver(settings, exclude);
		const why = whyPassed(path);
		const shown = displayPath(path, cwd);
		if (why === undefined) selected.set(path, selected.get(path) ?? shown);
		else passed.add(why, shown);
	};
	const addBelow = async (directory: string, isWanted: (path: string) => boolean) => {
		let wanted = 0;
		for await (const { files: some } of walk(directory, { withoutIgnored: true })) {
			call.signal.throwIfAborted();
			for (const path of some)
				if (isWanted(path)) {
					add(path);
					wanted++;
				}
		}
		return wanted;
	};
	for (const given of files) {
		const path = await inWorkspace(given, settings);
		const info = await statOf(path);
		if (info?.isDirectory()) {
			if (isForeign(`${path}${sep}_`, workspace))
				throw new LspError("LSP_IGNORED_FILE", `${given} belongs to an installed package or to version control.`, {
					file_path: path,
				});
			await addBelow(path, () => true);
		} else if (info) selected.set(path, given);
		else {
			const glob = globOf(given, cwd);
			const found = glob && isInside(glob.directory, workspace) ? await addBelow(glob.directory, glob.test) : 0;
			if (found === 0) missing.push({ given, reason: glob ? "matches no file" : "does not exist" });
		}
	}
	const scope = scopeOf(selection, cwd);
	if (scope) {
		const options = {
			workspace,
			cwd,
			env: await call.env(),
			signal: call.signal,
			maxBytes: maxListBytes,
		};
		for (const path of await changedFiles(scope, options)) {
			const real = await realPathOf(path);
			if (real === undefined) continue;
			if (isInside(real, workspace)) add(path);
			else passed.add("a link that leads outside", displayPath(path, cwd));
		}
	}
	for (const { given, reason } of missing) passed.add(reason, given);
	const [first] = missing;
	if (first !== undefined && selected.size === 0 && !allowNothing) {
		const path = resolve(cwd, first.given);
		throw new LspError("LSP_FILE_NOT_FOUND", `${displayPath(path, cwd)} ${first.reason}.`, { file_path: path });
	}
	if (files.length === 0 && !changed && !staged && base === undefined)
		throw new LspError("LSP_INVALID_INPUT", "Name files or directories, or ask for what has changed.");
	return { files: [...selected.values()], passed: passed.all(), isNamed: files.length > 0 && !allowNothing };
}

/** For files that are not named themselves. */
function passingOver({ workspace, servers, disabled, exclude }: Settings, more: readonly string[]) {
	const isExcluded = exclusion(workspace, [...exclude, ...more]);
	const judges = servers.filter(
		({ id, role = "language", diagnoses = true }) => role === "language" && diagnoses && !disabled.has(id),
	);
	return (path: string): string | undefined => {
		if (isExcluded(path)) return "excluded";
		return judges.some(nameTest(path)) ? undefined : "no server answers for it";
	};
}

function scopeOf({ files = [], changed, staged, base, index }: FileSelection, cwd: string) {
	// What differs holds what is staged, as both are read from the disk.
	if (changed) return { base };
	if (staged) return { staged, base, ...(index === undefined ? {} : { index: resolve(cwd, index) }) };
	return base !== undefined && files.length === 0 ? { base } : undefined;
}

function globOf(given: string, cwd: string) {
	const parts = given.split("/");
	const magic = parts.findIndex((part) => /[*?[\]{}]/.test(part));
	const test = magic < 0 ? undefined : globTest(parts.slice(magic).join("/"));
	if (!test) return undefined;
	const directory = resolve(cwd, parts.slice(0, magic).join("/") || (given.startsWith("/") ? "/" : "."));
	return { directory, test: (path: string) => test(relative(directory, path).split(sep).join("/")) };
}
