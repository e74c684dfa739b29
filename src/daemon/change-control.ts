import { type ChangeSet, changeSet } from "../changes/change-set.ts";
import type { ChangeScope } from "../changes/git-changes.ts";
import { inWorkspace } from "../routing/locate.ts";
import type { OperationCall } from "./operation-context.ts";

/** What changed in git, and what that means. */
export interface ChangeControl {
	/** `within`: files and directories as the caller names them. Rejects like `changeSet`. */
	detect(scope: ChangeScope, within?: readonly string[]): Promise<ChangeSet>;
}

export function changeControl(call: OperationCall): ChangeControl {
	return {
		async detect(scope, within = []) {
			const { cwd } = await call.context();
			const paths = await Promise.all(within.map(async (path) => (await inWorkspace(path, cwd)).path));
			return changeSet(call, scope, paths);
		},
	};
}
