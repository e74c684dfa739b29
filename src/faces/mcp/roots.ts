import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { statOf } from "../../util/files.ts";

const answerMs = 5000;

/**
 * The directory of a client's calls: `given`, else the client's first root, else this process's. The roots are read again
 * after `notifications/roots/list_changed`.
 */
export function workingDirectory(server: Server, given: string | undefined): () => Promise<string> {
	let directory = Promise.resolve(given ?? process.cwd());
	if (given !== undefined) return () => directory;
	const update = () => {
		if (!server.getClientCapabilities()?.roots) return;
		const before = directory;
		directory = firstRoot(server).then(async (root) => root ?? before);
	};
	server.oninitialized = update;
	server.setNotificationHandler(RootsListChangedNotificationSchema, update);
	return () => directory;
}

/** Undefined if the client names no local directory or does not answer. */
async function firstRoot(server: Server): Promise<string | undefined> {
	const { roots } = await server.listRoots(undefined, { timeout: answerMs }).catch(() => ({ roots: [] }));
	for (const { uri } of roots) {
		const path = pathOf(uri);
		if (path !== undefined && (await statOf(path))?.isDirectory()) return path;
	}
	return undefined;
}

function pathOf(uri: string): string | undefined {
	try {
		return fileURLToPath(uri);
	} catch {
		return undefined;
	}
}
