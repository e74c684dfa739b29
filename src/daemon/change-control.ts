import { changeSet } from "../changes/change-set.ts";
import type { ChangeScope, FileChange } from "../changes/git-changes.ts";
import { type ImpactOrder, impactOf } from "../changes/impact.ts";
import { unusedSymbols } from "../changes/unused.ts";
import type { NewText } from "../planning/new-text.ts";
import { workspaceOf } from "../project/workspace-of.ts";
import { inWorkspace } from "../routing/locate.ts";
import { statOf } from "../util/files.ts";
import { anySource, readText } from "../util/read-file.ts";
import type { Change } from "../writer/change.ts";
import { unformattedFiles } from "./building/unformatted.ts";
import type { OperationCall } from "./operation-context.ts";
import { textOf } from "./writing/affected-by-change.ts";
import { planTexts } from "./writing/plan-change.ts";

export function changeControl(call: OperationCall) {
	const absolute = async (paths: readonly string[]) => {
		const { cwd } = await call.context();
		const within = { directory: cwd, workspace: await workspaceOf(cwd) };
		return Promise.all(paths.map((path) => inWorkspace(path, within)));
	};
	return {
		/** `within`: paths as the caller names them. Rejects like `changeSet`. */
		detect: async (scope: ChangeScope, within: readonly string[] = []) =>
			changeSet(call, scope, await absolute(within)),
		unused: (files: readonly string[]) => unusedSymbols(call, files),
		unformatted: (scope: ChangeScope) => unformattedFiles(call, scope),
		/** Without `symbols`, words behind the first file are its symbols if none names a file. */
		async impact({ files: words, symbols, ...order }: ImpactOrder) {
			const [first, ...others] = await absolute(words);
			const areFiles = await Promise.all(others.map(async (path) => (await statOf(path)) !== undefined));
			if (symbols.length === 0 && first !== undefined && others.length > 0 && !areFiles.includes(true))
				return impactOf(call, { ...order, files: [first], symbols: words.slice(1) });
			return impactOf(call, { ...order, files: first === undefined ? [] : [first, ...others], symbols });
		},
		/** Of unwritten texts. Rejects like `planTexts`. */
		async impactOfTexts(edit: NewText, { depth }: Pick<ImpactOrder, "depth">) {
			const { change } = await planTexts(call, edit, "patch");
			const planned = await fileChangesIn(change);
			return impactOf(call, { files: [], symbols: [], scope: undefined, depth, planned });
		},
	};
}

async function fileChangesIn({ moves, files }: Change): Promise<FileChange[]> {
	const texts = files.map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }));
	const moved = await Promise.all(
		moves.map(async ({ from, to }) => {
			const edited = texts.find(({ path }) => path === to);
			const before = edited?.before ?? (await readText(from, anySource));
			return [
				{ path: from, before, after: undefined },
				{ path: to, before: undefined, after: edited ? edited.after : before },
			];
		}),
	);
	const targets = new Set(moves.map(({ to }) => to));
	return [...texts.filter(({ path }) => !targets.has(path)), ...moved.flat()];
}
