import type { ExecuteCommandOptions, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { LanguageServer } from "../lsp/server.ts";

const executeCommandMethod = "workspace/executeCommand";

export function commandsOf(server: LanguageServer): readonly string[] {
	const registered = [...server.registrations.values()]
		.filter(({ method }) => method === executeCommandMethod)
		.map(({ registerOptions }) => registerOptions as ExecuteCommandOptions | undefined);
	const offered = [server.capabilities.executeCommandProvider, ...registered];
	const names = offered.flatMap((options) => (Array.isArray(options?.commands) ? options.commands : []));
	return [...new Set(names.map(String))];
}

export interface CommandCall {
	readonly command: string;
	readonly arguments?: readonly unknown[] | undefined;
}

export interface CommandAnswer {
	readonly result: unknown;
	readonly edits: readonly WorkspaceEdit[];
}

export function executeCommand(
	server: LanguageServer,
	{ command, arguments: given }: CommandCall,
	signal: AbortSignal,
): Promise<CommandAnswer> {
	const params = { command, ...(given === undefined ? {} : { arguments: given }) };
	return server.editCapture.during(() => server.request<unknown>(executeCommandMethod, params, signal));
}
