import type { WorkspaceDiagnosticParams, WorkspaceDiagnosticReport } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../../lsp/server.ts";
import { deadline } from "../../util/abort.ts";
import { toPath } from "../../util/positions.ts";
import type { Proof } from "./prove.ts";
import { providersOf } from "./pull.ts";
import { momentOf, proofBeside } from "./related-documents.ts";

/** Fewer files are asked for one by one: the whole project is more work. */
const fewestFiles = 20;
const longestMs = 5000;

/** True if the one question is cheaper for so many files, and its answer is known to be exact. */
export function pullsProject(server: LanguageServer, files: number): boolean {
	const [provider, ...others] = providersOf(server);
	// Of a file that one of several providers told about nothing is proven.
	const isOne = provider?.workspaceDiagnostics === true && others.length === 0;
	return files >= fewestFiles && isOne && server.config.pullsWorkspace === true;
}

/**
 * Proves many files with the one question `workspace/diagnostic`, where the server offers it and its answer is known to
 * be for what the server was told last. What is left over (another version, `unchanged`, no answer in time) is for the
 * caller to ask about by itself.
 *
 * No earlier results are named: with nothing new beside them ty keeps the question open until something changes, as
 * the protocol allows. No partial results are asked for: the whole answer comes at once.
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
	const asked = momentOf();
	const limit = deadline(longestMs, () => new Error("no answer for the whole project in time"), signal);
	try {
		const report = await server.request<WorkspaceDiagnosticReport | null>("workspace/diagnostic", params, limit.signal);
		if (!Array.isArray(report?.items)) return [];
		const byPath = new Map(report.items.map((item) => [toPath(item.uri), item]));
		const proofs = paths.map((path) => {
			const item = byPath.get(path);
			const version = server.documents.get(path)?.version;
			if (item && (item.kind !== "full" || (item.version ?? undefined) !== version)) return undefined;
			return proofBeside(server, path, item?.items ?? [], asked);
		});
		return (await Promise.all(proofs)).flatMap((proof) => proof ?? []);
	} catch {
		// Whatever went wrong with it, each file can still be asked about; a server that is gone says so there.
		return [];
	} finally {
		limit.end();
	}
}
