import type { ConfigurationParams, WorkspaceFolder } from "vscode-languageserver-protocol";

/** What the answers to a server's own requests depend on. */
export interface AnswerContext {
	readonly folders: readonly WorkspaceFolder[];
	/** `workspace/configuration` by section; the empty section is the whole. */
	readonly settings: Readonly<Record<string, unknown>>;
	register(registrations: readonly Registration[]): void;
	unregister(ids: readonly string[]): void;
}

export interface Registration {
	readonly id: string;
	readonly method: string;
	readonly registerOptions?: unknown;
}

/**
 * The answer to any request that a server sends us, at once and never an error. See docs/facts.md, 5 to 7:
 * pyright exits on an error reply to `client/registerCapability`, typescript-language-server on one to
 * `window/workDoneProgress/create`; an unanswered `workspace/configuration` hangs them all.
 */
export function answerServerRequests(method: string, params: unknown, context: AnswerContext): unknown {
	try {
		return Object.hasOwn(answers, method) ? (answers[method]?.(params, context) ?? null) : null;
	} catch {
		// A throw here would become an error reply, and that kills servers.
		return null;
	}
}

const answers: Readonly<Record<string, (params: unknown, context: AnswerContext) => unknown>> = {
	"workspace/configuration": (params, { settings }) =>
		(params as ConfigurationParams).items.map(({ section }) => settingOf(settings, section)),
	"workspace/workspaceFolders": (_, { folders }) => folders,
	"client/registerCapability": (params, { register }) =>
		register((params as { registrations: Registration[] }).registrations),
	"client/unregisterCapability": (params, { unregister }) => {
		// "unregisterations" is the specification's own spelling; some servers use the corrected one.
		const { unregisterations, unregistrations } = params as Record<string, { id: string }[] | undefined>;
		unregister((unregisterations ?? unregistrations ?? []).map(({ id }) => id));
	},
	"workspace/applyEdit": () => ({ applied: false, failureReason: "pi-lsp applies no edits that nobody asked for" }),
	"window/showDocument": () => ({ success: false }),
};

function settingOf(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
	if (!section) return settings[""] ?? settings;
	let value: unknown = settings;
	for (const key of section.split(".")) {
		if (typeof value !== "object" || value === null) return null;
		value = (value as Record<string, unknown>)[key];
	}
	return value ?? null;
}
