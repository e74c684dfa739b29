import type { ApplyWorkspaceEditResult, ConfigurationParams, WorkspaceFolder } from "vscode-languageserver-protocol";

export interface AnswerContext {
	readonly folders: readonly WorkspaceFolder[];
	readonly settings: Readonly<Record<string, unknown>>;
	register(registrations: readonly Registration[]): void;
	unregister(ids: readonly string[]): void;
	applyEdit(params: unknown): ApplyWorkspaceEditResult;
}

export interface Registration {
	readonly id: string;
	readonly method: string;
	readonly registerOptions?: unknown;
}

/** At once and without errors, which end some servers (docs/facts.md, 5 to 7). */
export function answerServerRequests(method: string, params: unknown, context: AnswerContext): unknown {
	try {
		return Object.hasOwn(answers, method) ? (answers[method]?.(params, context) ?? null) : null;
	} catch {
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
		// `unregisterations` is the specification's spelling, which some servers correct.
		const { unregisterations, unregistrations } = params as Record<string, { id: string }[] | undefined>;
		unregister((unregisterations ?? unregistrations ?? []).map(({ id }) => id));
	},
	"workspace/applyEdit": (params, { applyEdit }) => applyEdit(params),
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
