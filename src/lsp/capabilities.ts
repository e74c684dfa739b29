import type { ClientCapabilities } from "vscode-languageserver-protocol";

/**
 * What a client can do that starts servers, answers them, keeps their documents and asks whatever it is told to ask.
 * Each room above has a slice of its own, `capabilities.ts`, that says what is honoured there; whoever starts servers
 * merges them.
 */
export const lspCapabilities: ClientCapabilities = {
	general: {
		positionEncodings: ["utf-16", "utf-8", "utf-32"],
		staleRequestSupport: { cancel: true, retryOnContentModified: [] },
	},
	workspace: {
		configuration: true,
		workspaceFolders: true,
		didChangeConfiguration: { dynamicRegistration: true },
		applyEdit: false,
	},
	window: { workDoneProgress: true },
	textDocument: { synchronization: { didSave: true, dynamicRegistration: false } },
	experimental: { serverStatusNotification: true },
};

/** Slices as one value. What two of them say of the same thing is merged, too; of two plain values the later one counts. */
export function mergeCapabilities(...slices: readonly ClientCapabilities[]): ClientCapabilities {
	return slices.reduce<ClientCapabilities>((merged, slice) => merge(merged, slice) as ClientCapabilities, {});
}

function merge(one: unknown, other: unknown): unknown {
	if (!isRecord(one) || !isRecord(other)) return other;
	const merged: Record<string, unknown> = { ...one };
	for (const [name, value] of Object.entries(other)) merged[name] = merge(merged[name], value);
	return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
