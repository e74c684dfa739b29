import type { Service } from "../daemon/service.ts";
import type { FileQuery } from "../query/file-query.ts";

/** Fewer than the documents that a server holds open. */
const maxTests = 40;

/**
 * Opens the tests that depend on a file: TypeScript's servers know of the files that no tsconfig.json includes only those
 * that are open. Returns why some may not be known.
 */
export async function openTests(service: Service, asked: FileQuery): Promise<string | undefined> {
	const { document, server, signal } = asked;
	if (!/script/.test(document.languageId)) return undefined;
	const index = service.indexOf(server.root);
	const watched = await service.watches.areCurrent(server.root);
	const tests = await index.tests({ watched });
	// `tests` has just compared the index with the disk.
	const dependents = await index.dependents(document.path, { all: true, watched: true });
	const found = dependents.filter((path) => tests.has(path));
	// The server has built a file when it lists its symbols.
	const open = (path: string) => asked.inFile(asked.displayPath(path), (other) => other.allSymbols());
	await Promise.allSettled(found.slice(0, maxTests).map(open));
	signal.throwIfAborted();
	if (found.length <= maxTests) return undefined;
	return `${found.length} test files depend on it: of those that no tsconfig.json includes only ${maxTests} are known.`;
}
