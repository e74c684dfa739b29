import type { Settings } from "../config/read-settings.ts";
import type { Examination } from "../contract/doctor-report.ts";
import { abilitiesOf, capabilitiesOf, capabilityOptions } from "../doctor/abilities.ts";
import { examineFile, examineWorkspace } from "../doctor/examine.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { workspaceOf } from "../project/root.ts";
import { isInside } from "../util/paths.ts";
import type { OperationCall, OperationContext } from "./operation-context.ts";
import type { Service } from "./service.ts";
import { type Started, type StartOptions, startServers } from "./start-servers.ts";
import { existingDirectory } from "./workspace-control.ts";

interface ServerAbilities {
	readonly server: string;
	readonly version?: string;
	readonly encoding: string;
	/** Operations. */
	readonly supported: readonly string[];
	readonly unsupported: readonly string[];
	readonly offers: readonly string[];
	readonly options: Readonly<Record<string, object>>;
}

export interface ServerControl {
	list(): ReturnType<Service["servers"]>;
	start(directory: string | undefined, options: StartOptions): Promise<Started[]>;
	restart(id?: string): Promise<{ readonly stopped: number; readonly running: string[] }>;
	/** Starts no server. Default: the workspace. */
	examineDirectory(directory?: string): Promise<Examination>;
	examine(file: string): Promise<Examination>;
	/** Without a file, of the workspace's running servers. */
	capabilities(file?: string): Promise<{
		readonly servers: ServerAbilities[];
		readonly unanswered: readonly string[];
	}>;
}

export function serverControl(call: OperationCall, askEach: OperationContext["askEach"]): ServerControl {
	const { service, operations } = call;
	const { pool } = service;
	const abilities = (server: LanguageServer) => ({
		...(server.version ? { version: server.version } : {}),
		encoding: server.encoding,
		...abilitiesOf(server, operations),
		offers: capabilitiesOf(server),
		options: capabilityOptions(server),
	});
	const examineContext = (settings: Settings) => {
		const { env, signal, heldBack } = call;
		return {
			...{ pool, settings, cwd: settings.directory, env, signal, operations },
			...(heldBack ? { heldBack } : {}),
		};
	};
	return {
		list: () => service.servers(),
		async start(directory = ".", options) {
			const context = await call.context();
			const path = await existingDirectory(directory, context.cwd);
			return startServers(call, context, path, options);
		},
		async restart(id) {
			const workspace = await workspaceOf((await call.context()).cwd);
			const isOwn = (root: string) => isInside(root, workspace) || isInside(workspace, root);
			const stopped = await pool.stop((server) => (id === undefined || server.id === id) && isOwn(server.root));
			const running = pool.servers().filter(({ root }) => isOwn(root));
			return { stopped, running: [...new Set(running.map(({ config }) => config.id))] };
		},
		async examineDirectory(directory) {
			const settings = await call.settings();
			if (directory === undefined) return examineWorkspace(examineContext(settings));
			return examineWorkspace(examineContext(settings), await existingDirectory(directory, settings.directory));
		},
		examine: async (file) => examineFile(examineContext(await call.settings()), file),
		async capabilities(file) {
			if (file !== undefined) {
				const { answers, unanswered } = await askEach(file, async ({ server }) => abilities(server), { linters: true });
				return { servers: answers.map(({ server, answer }) => ({ server, ...answer })), unanswered };
			}
			const workspace = await workspaceOf((await call.context()).cwd);
			const running = pool.servers().filter(({ root }) => isInside(root, workspace));
			return { servers: running.map((server) => ({ server: server.config.id, ...abilities(server) })), unanswered: [] };
		},
	};
}
