import { setMaxListeners } from "node:events";
import { type ArchitectureOrder, architectureOf } from "../architecture/architecture.ts";
import type { Settings } from "../config/read-settings.ts";
import { type CrossRepoOrder, crossRepo } from "../consumers/cross-repo.ts";
import { disabled } from "../contract/errors.ts";
import type { Effect } from "../contract/operation.ts";
import type { CallerParams } from "../contract/protocol.ts";
import type { Ability } from "../doctor/abilities.ts";
import { workspaceOf } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import { type AskOptions, askEach, askFirst, type CallContext } from "../query/run.ts";
import { askWorkspace, type WorkspacePart, type WorkspaceQuery } from "../query/run-workspace.ts";
import { testsFor } from "../query/tests-for.ts";
import {
	type DocumentedLanguage,
	documentedLanguage,
	type ToolchainDocs,
	toolchainDocs,
} from "../query/toolchain-docs.ts";
import { resolveFile } from "../routing/locate.ts";
import { hashOf } from "../util/hash.ts";
import { buildControl } from "./building/build-control.ts";
import { changeControl } from "./change-control.ts";
import { type CheckOptions, checkFiles, checkSelected } from "./checks/check-files.ts";
import { type FileSelection, type SelectedFiles, selectFiles } from "./checks/select-files.ts";
import { daemonControl } from "./daemon-control.ts";
import { extensionControl } from "./extensions/extension-control.ts";
import type { CallSource } from "./serve.ts";
import { serverControl } from "./server-control.ts";
import { realDirectory, type Service } from "./service.ts";
import { simulationControl } from "./simulation/simulation-control.ts";
import { workspaceControl } from "./workspace-control.ts";
import { editControl } from "./writing/edit-control.ts";

export type OperationContext = ReturnType<typeof operationContextFor>;

export interface Operations {
	readonly operations: readonly (Ability & { readonly effect: Effect })[];
	dispatch(service: Service, method: string, params: unknown, source: CallSource): Promise<unknown>;
}

export interface OperationCall extends CallSource, Operations {
	readonly service: Service;
	readonly params: CallerParams;
	settings(): Promise<Settings>;
	context(): Promise<CallContext>;
}

export function operationCallFor(
	service: Service,
	params: CallerParams,
	source: CallSource,
	operations: Operations,
): OperationCall {
	const { env, signal } = source;
	setMaxListeners(0, signal);
	let known: Promise<Settings> | undefined;
	const settings = () => {
		known ??= service.settings(params).then((found) => {
			if (!found.enabled) throw disabled(found.switchedOffBy);
			return found;
		});
		return known;
	};
	const context = async () => ({ service, cwd: await realDirectory(params.cwd), env, signal });
	return { ...source, ...operations, service, params, settings, context };
}

type Asked<Answer extends object> = string | (AskOptions<Answer> & { readonly file: string });

export function operationContextFor(call: OperationCall) {
	const { service, params, env, signal, settings } = call;
	const contextAt = (cwd: string): CallContext => ({ service, cwd, env, signal });
	const locate = async <Answer extends object>(asked: Asked<Answer>) => {
		const { file, ...options } = typeof asked === "string" ? { file: asked } : asked;
		const { settings: found, located } = await service.locate(file, params);
		return { context: contextAt(found.directory), located, options };
	};
	return {
		signal,
		/** Rejects with LSP_DISABLED. */
		settings,
		/** Rejects like `locate` and `Pool.use`. */
		async ask<Answer extends object>(asked: Asked<Answer>, answer: (query: FileQuery) => Promise<Answer>) {
			const { context, located, options } = await locate(asked);
			return askFirst(context, { located, answer, options });
		},
		async askEach<Answer extends object>(asked: Asked<Answer>, answer: (query: FileQuery) => Promise<Answer>) {
			const { context, located, options } = await locate(asked);
			return askEach(context, { located, answer, options });
		},
		async askWorkspace<Answer extends object>(
			method: string,
			work: (query: WorkspaceQuery) => Promise<Answer>,
			part?: WorkspacePart,
		) {
			const found = await settings();
			return askWorkspace(contextAt(found.directory), found, { method, answer: work, part });
		},
		check: (files: readonly string[], options: CheckOptions) => checkFiles(call, files, options),
		select: (selection: FileSelection) => selectFiles(call, selection),
		checkSelected: (selected: SelectedFiles, options: CheckOptions) => checkSelected(call, selected, options),
		async testsFor(file: string) {
			const found = await settings();
			const { directory } = found;
			return testsFor(service, await resolveFile(file, found), directory, signal);
		},
		architecture: (order: ArchitectureOrder) => architectureOf(call, order),
		crossRepo: (order: CrossRepoOrder) => crossRepo(call, order),
		async toolchainDocs(
			symbol: string,
			about: { readonly file?: string | undefined; readonly language?: DocumentedLanguage | undefined },
		): Promise<Partial<ToolchainDocs>> {
			const found = await settings();
			const { directory: cwd } = found;
			const place = about.file === undefined ? undefined : await resolveFile(about.file, found);
			const language = about.language ?? (place && documentedLanguage(place.path));
			if (language === undefined) return {};
			const workspace = place?.workspace ?? (await workspaceOf(cwd));
			return toolchainDocs({ symbol, language, place, cwd, workspace, settings: found, env: await env(), signal });
		},
		get builds() {
			return buildControl(call);
		},
		get changes() {
			return changeControl(call);
		},
		get edits() {
			return editControl(call);
		},
		get simulations() {
			return simulationControl(call);
		},
		get servers() {
			return serverControl(call);
		},
		get workspace() {
			return workspaceControl(call);
		},
		get daemon() {
			return daemonControl(service);
		},
		get extensions() {
			return extensionControl(call);
		},
		tagOf: (value: unknown) => hashOf(JSON.stringify(value), 12),
	};
}
