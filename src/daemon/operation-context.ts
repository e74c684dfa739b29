import { setMaxListeners } from "node:events";
import { type Architecture, type ArchitectureOrder, architectureOf } from "../architecture/architecture.ts";
import type { Settings } from "../config/read-settings.ts";
import { type CrossRepo, type CrossRepoOrder, crossRepo } from "../consumers/cross-repo.ts";
import type { CheckReport } from "../contract/check-report.ts";
import { disabled } from "../contract/errors.ts";
import type { Effect } from "../contract/operation.ts";
import type { CallerParams } from "../contract/protocol.ts";
import type { Ability } from "../doctor/abilities.ts";
import { workspaceOf } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import {
	type AskOptions,
	askEach,
	askFirst,
	type CallContext,
	type FileAnswers,
	type MaybeIncomplete,
} from "../query/run.ts";
import {
	askWorkspace,
	type WorkspaceAnswers,
	type WorkspacePart,
	type WorkspaceQuery,
} from "../query/run-workspace.ts";
import { type FoundTest, testsFor } from "../query/tests-for.ts";
import {
	type DocumentedLanguage,
	documentedLanguage,
	type ToolchainDocs,
	toolchainDocs,
} from "../query/toolchain-docs.ts";
import { resolveFile } from "../routing/locate.ts";
import { hashOf } from "../util/hash.ts";
import { type BuildControl, buildControl } from "./building/build-control.ts";
import { type ChangeControl, changeControl } from "./change-control.ts";
import { type CheckOptions, checkFiles, checkSelected } from "./checks/check-files.ts";
import { type FileSelection, type SelectedFiles, selectFiles } from "./checks/select-files.ts";
import { type DaemonControl, daemonControl } from "./daemon-control.ts";
import { type ExtensionControl, extensionControl } from "./extensions/extension-control.ts";
import type { CallSource } from "./serve.ts";
import { type ServerControl, serverControl } from "./server-control.ts";
import { realDirectory, type Service } from "./service.ts";
import { type SimulationControl, simulationControl } from "./simulation/simulation-control.ts";
import { type WorkspaceControl, workspaceControl } from "./workspace-control.ts";
import { type EditControl, editControl } from "./writing/edit-control.ts";

export interface OperationContext {
	readonly signal: AbortSignal;
	/** Rejects with LSP_DISABLED. */
	settings(): Promise<Settings>;
	/** Rejects like `locate` and `Pool.use`. */
	ask<Answer extends object>(
		file: string,
		work: (query: FileQuery) => Promise<Answer>,
		options?: AskOptions<Answer>,
	): Promise<MaybeIncomplete<Answer>>;
	askEach<Answer extends object>(
		file: string,
		work: (query: FileQuery) => Promise<Answer>,
		options?: AskOptions<Answer>,
	): Promise<FileAnswers<Answer>>;
	askWorkspace<Answer extends object>(
		method: string,
		work: (query: WorkspaceQuery) => Promise<Answer>,
		part?: WorkspacePart,
	): Promise<WorkspaceAnswers<Answer>>;
	check(files: readonly string[], options: CheckOptions): Promise<CheckReport>;
	select(selection: FileSelection): Promise<SelectedFiles>;
	checkSelected(selected: SelectedFiles, options: CheckOptions): Promise<CheckReport>;
	testsFor(file: string): Promise<FoundTest[]>;
	architecture(order: ArchitectureOrder): Promise<Architecture>;
	crossRepo(order: CrossRepoOrder): Promise<CrossRepo>;
	toolchainDocs(
		symbol: string,
		about: { readonly file?: string | undefined; readonly language?: DocumentedLanguage | undefined },
	): Promise<Partial<ToolchainDocs>>;
	readonly builds: BuildControl;
	readonly changes: ChangeControl;
	readonly edits: EditControl;
	readonly simulations: SimulationControl;
	readonly servers: ServerControl;
	readonly workspace: WorkspaceControl;
	readonly daemon: DaemonControl;
	readonly extensions: ExtensionControl;
	tagOf(value: unknown): string;
}

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

export function operationContextFor(call: OperationCall): OperationContext {
	const { service, params, env, signal, settings } = call;
	const contextAt = (cwd: string): CallContext => ({ service, cwd, env, signal });
	const locate = async (file: string) => {
		const { settings: found, located } = await service.locate(file, params);
		return { context: contextAt(found.directory), located };
	};
	const askEachServer: OperationContext["askEach"] = async (file, work, options = {}) => {
		const { context, located } = await locate(file);
		return askEach(context, { located, answer: work, options });
	};
	return {
		signal,
		settings,
		async ask(file, work, options = {}) {
			const { context, located } = await locate(file);
			return askFirst(context, { located, answer: work, options });
		},
		askEach: askEachServer,
		async askWorkspace(method, work, part) {
			const found = await settings();
			return askWorkspace(contextAt(found.directory), found, { method, answer: work, part });
		},
		check: (files, options) => checkFiles(call, files, options),
		select: (selection) => selectFiles(call, selection),
		checkSelected: (selected, options) => checkSelected(call, selected, options),
		async testsFor(file) {
			const found = await settings();
			const { directory } = found;
			return testsFor(service, await resolveFile(file, found), directory, signal);
		},
		architecture: (order) => architectureOf(call, order),
		crossRepo: (order) => crossRepo(call, order),
		async toolchainDocs(symbol, { file, language: wanted }) {
			const found = await settings();
			const { directory: cwd } = found;
			const place = file === undefined ? undefined : await resolveFile(file, found);
			const language = wanted ?? (place && documentedLanguage(place.path));
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
			return serverControl(call, askEachServer);
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
		tagOf: (value) => hashOf(JSON.stringify(value), 12),
	};
}
