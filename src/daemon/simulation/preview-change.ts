import type { CheckReport } from "../../contract/check-report.ts";
import { asLspError, LspError } from "../../contract/errors.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { deadline } from "../../util/abort.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { textOf } from "../writing/affected-by-change.ts";
import { unknownUntilWritten } from "./gone-files.ts";
import { Judges } from "./judges.ts";
import { type Found, type Group, previewAt } from "./preview-at-server.ts";
import { type Preview, previewReport } from "./preview-report.ts";

export interface PreviewOptions {
	/** Milliseconds. */
	readonly timeout?: number | undefined;
	readonly editedOnly?: boolean | undefined;
}

const shareOfOthers = 0.9;

/** Rejects for mistakes of the caller. */
export async function previewChange(
	call: OperationCall,
	change: Change,
	{ timeout, editedOnly = false }: PreviewOptions = {},
): Promise<Preview> {
	const { service, signal } = call;
	const { warmMs, coldMs, declarations } = await call.settings();
	const judges = new Judges(call);
	for (const { path, after } of change.files) await judges.add(path, textOf(after));
	const budget = timeout ?? (judges.groups().every(({ route }) => service.pool.isWarm(route)) ? warmMs : coldMs);
	const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`), signal);
	const until = performance.now() + budget * shareOfOthers;
	const found = new Map<string, Found>();
	const unknown: CheckReport[] = [];
	const prove = async (groups: readonly Group[]) => {
		const options = { editedOnly, until, declarations, signal: limit.signal };
		const proving = groups.map(async (group) => {
			found.set(entryKey(group.route), await previewAt(call, change, group, options));
		});
		await Promise.all(proving);
	};
	try {
		await prove(judges.groups());
		await prove(await judges.addUsers([...found.values()]));
		const hidden = new Set([...found.values()].flatMap((each) => each.hidden));
		const moved = change.moves.map(({ from }) => from);
		const left = [...moved, ...judges.gone.map(({ path }) => path).filter((path) => !hidden.has(path))];
		unknown.push(...(await Promise.all(left.map((path) => unknownUntilWritten(call, change, path, limit.signal)))));
	} finally {
		limit.end();
	}
	if (signal.aborted) throw asLspError(signal.reason);
	return previewReport(call, change, { judges, found, unknown });
}
