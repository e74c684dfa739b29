import { LspError } from "../../contract/errors.ts";
import type { AffectedByParams, AffectedByResult } from "../../contract/protocol.ts";
import type { FileChange } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { affectedByChange } from "../writing/affected-by-change.ts";

const maxNamed = 200;

export async function affectedBy(
	{ service, params, signal }: OperationCall,
	{ changes }: AffectedByParams,
): Promise<AffectedByResult> {
	if (!Array.isArray(changes)) throw new LspError("LSP_INVALID_INPUT", "affected_by: changes: Expected an array.");
	const roots = new Set<string>();
	const files: FileChange[] = [];
	let workspace: string | undefined;
	for (const { file, before, after } of changes as AffectedByParams["changes"]) {
		const found = await service.locate(String(file), params, { mayBeMissing: true }).catch(() => undefined);
		if (!found) continue;
		workspace ??= found.located.workspace;
		for (const { root } of found.located.routes) roots.add(root);
		files.push({ path: found.located.path, before: bytesOf(before), after: bytesOf(after) });
	}
	if (workspace === undefined) return { files: [] };
	const change = { title: "", root: workspace, moves: [], files, emptied: [] };
	const { paths } = await affectedByChange(service, change, { roots: [...roots], signal });
	return { files: paths.slice(0, maxNamed) };
}

function bytesOf(text: string | null): Buffer | undefined {
	return typeof text === "string" ? Buffer.from(text) : undefined;
}
