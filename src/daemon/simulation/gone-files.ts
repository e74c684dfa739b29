import type { CheckReport, FileReport } from "../../contract/check-report.ts";
import { asLspError } from "../../contract/errors.ts";
import { displayPath } from "../../routing/locate.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { affectedByChange } from "../writing/affected-by-change.ts";

const maxUsers = 40;

export async function unknownUntilWritten(
	call: OperationCall,
	change: Change,
	path: string,
	signal: AbortSignal,
): Promise<CheckReport> {
	const { service, params } = call;
	const { directory: cwd } = await call.settings();
	const own = {
		...({ path: displayPath(path, cwd), role: "edited", state: "unavailable", diagnostics: [] } as const),
		reason: "what a deleted or moved file breaks is known only when that is written",
	};
	try {
		const { located } = await service.locate(path, params, { mayBeMissing: true });
		const files = change.files.filter((file) => file.path === path);
		const [roots, left] = [located.routes.map(({ root }) => root), files.length > 0 ? [] : [path]];
		const { paths: users, isAll } = await affectedByChange(service, { ...change, files }, { roots, left, signal });
		const others = users.filter((user) => !change.files.some((file) => file.path === user));
		const reason = `it sees ${own.path}, which would be gone`;
		const named = others
			.slice(0, maxUsers)
			.map((user): FileReport => ({ ...own, path: displayPath(user, cwd), role: "affected", reason }));
		const omitted = { diagnostics: 0, files: others.length - named.length, ...(isAll ? {} : { unsearched: true }) };
		return { files: [own, ...named], servers: [], omitted };
	} catch (thrown) {
		const reason = `${own.reason}, and who sees it could not be found out: ${asLspError(thrown).message}`;
		return { files: [{ ...own, reason }], servers: [], omitted: { diagnostics: 0, files: 0 } };
	}
}
