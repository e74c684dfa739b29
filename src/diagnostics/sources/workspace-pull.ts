import type { WorkspaceDiagnosticParams, WorkspaceDiagnosticReport } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../../lsp/server.ts";
import { deadline } from "../../util/abort.ts";
import { toPath } from "../../util/positions.ts";
import type { Proof } from "./prove.ts";
import { providersOf } from "./pull.ts";
import { relatedProof, requestTime } from "./related-documents.ts";

const fewestFiles = 20;
const longestMs = 5000;

export function pullsProject(server: LanguageServer, files: number): boolean {
	const [provider, ...others] = providersOf(server);
	// With several providers, one report proves nothing.
	const isOne = provider?.workspaceDiagnostics === true && others.length === 0;
	return files >= fewestFiles && isOne && server.config.pullsWorkspace === true;
}

/**
 * Leaves out files without a full report in time. Given previous results, ty waits for a change (docs/facts.md, 20).
 */
export async function pullWorkspace(
	server: LanguageServer,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<Proof[]> {
	const [provider] = providersOf(server);
	if (!provider || !pullsProject(server, paths.length)) return [];
	const { identifier } = provider;
	const params: WorkspaceDiagnosticParams = {
		...(identifier === undefined ? {} : { identifier }),
		previousResultIds: [],
	};
	const asked = requestTime();
	const limit = deadline(longestMs, () => new Error("no answer for the whole project in time"), signal);
	try {
		const report = await server.request<WorkspaceDiagnosticReport | null>("workspace/diagnostic", params, limit.signal);
		if (!Array.isArray(report?.items)) return [];
		const byPath = new Map(report.items.map((item) => [toPath(item.uri), item]));
		const proofs = paths.map((path) => {
			const item = byPath.get(path);
			const version = server.documents.get(path)?.version;
			if (item && (item.kind !== "full" || (item.version ?? undefined) !== version)) return undefined;
			return relatedProof(server, path, item?.items ?? [], asked);
		});
		return (await Promise.all(proofs)).flatMap((proof) => proof ?? []);
	} catch {
		return [];
	} finally {
		limit.end();
	}
}
