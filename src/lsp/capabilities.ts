import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { isObject } from "../util/objects.ts";

export const lspCapabilities: ClientCapabilities = {
	general: {
		positionEncodings: ["utf-16", "utf-8", "utf-32"],
		staleRequestSupport: { cancel: true, retryOnContentModified: [] },
	},
	workspace: {
		configuration: true,
		workspaceFolders: true,
		didChangeConfiguration: { dynamicRegistration: true },
		applyEdit: true,
	},
	window: { workDoneProgress: true },
	textDocument: {
		synchronization: { didSave: true, dynamicRegistration: false },
		documentSymbol: { hierarchicalDocumentSymbolSupport: true },
		declaration: { linkSupport: true },
		definition: { linkSupport: true },
		typeDefinition: { linkSupport: true },
		implementation: { linkSupport: true },
	},
	experimental: { serverStatusNotification: true },
};

export function mergeCapabilities(...slices: readonly ClientCapabilities[]): ClientCapabilities {
	return slices.reduce<ClientCapabilities>((merged, slice) => merge(merged, slice) as ClientCapabilities, {});
}

function merge(one: unknown, other: unknown): unknown {
	if (!isObject(one) || !isObject(other)) return other;
	const merged: Record<string, unknown> = { ...one };
	for (const [name, value] of Object.entries(other)) merged[name] = merge(merged[name], value);
	return merged;
}
