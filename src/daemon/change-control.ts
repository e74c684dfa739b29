import { type ChangeSet, changeSet } from "../changes/change-set.ts";
import type { ChangeScope } from "../changes/git-changes.ts";
import { type Impact, type ImpactOrder, impactOf } from "../changes/impact.ts";
import { type Unused, unusedSymbols } from "../changes/unused.ts";
import { inWorkspace } from "../routing/locate.ts";
import { statOf } from "../util/files.ts";
import { unformattedFiles } from "./building/unformatted.ts";
import type { OperationCall } from "./operation-context.ts";

export interface ChangeControl {
	/** `within`: paths as the caller names them. Rejects like `changeSet`. */
	detect(scope: ChangeScope, within?: readonly string[]): Promise<ChangeSet>;
	/** Without `symbols`, the words after the first file are its symbols if none names a file. */
	impact(order: ImpactOrder): Promise<Impact>;
	unused(files: readonly string[]): Promise<Unused>;
	unformatted(scope: ChangeScope): Promise<readonly string[]>;
}

export function changeControl(call: OperationCall): ChangeControl {
	const absolute = async (paths: readonly string[]) => {
		const { cwd } = await call.context();
		return Promise.all(paths.map(async (path) => (await inWorkspace(path, cwd)).path));
	};
	return {
		detect: async (scope, within = []) => changeSet(call, scope, await absolute(within)),
		unused: (files) => unusedSymbols(call, files),
		unformatted: (scope) => unformattedFiles(call, scope),
		async impact({ files: words, symbols, ...order }) {
			const [first, ...others] = await absolute(words);
			const areFiles = await Promise.all(others.map(async (path) => (await statOf(path)) !== undefined));
			if (symbols.length === 0 && first !== undefined && others.length > 0 && !areFiles.includes(true))
				return impactOf(call, { ...order, files: [first], symbols: words.slice(1) });
			return impactOf(call, { ...order, files: first === undefined ? [] : [first, ...others], symbols });
		},
	};
}
