import type { Settings } from "../config/read-settings.ts";
import { abilitiesOf, capabilitiesOf, capabilityOptions } from "../doctor/abilities.ts";
import { examineFile, examineWorkspace } from "../doctor/examine.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { workspaceOf } from "../project/root.ts";
import type { FileQuery } from "../query/file-query.ts";
import { askEach } from "../query/run.ts";
import { isInside } from "../util/paths.ts";
import type { OperationCall } from "./operation-context.ts";
import { type StartOptions, startServers } from "./start-servers.ts";
import { existingDirectory } from "./workspace-control.ts";

export function serverControl(call: OperationCall) {
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
		async start(directory: string | undefined, options: StartOptions) {
			const context = await call.context();
			const path = await existingDirectory(directory ?? ".", context.cwd);
			return startServers(call, context, path, options);
		},
		async restart(id?: string) {
			const workspace = await workspaceOf((await call.context()).cwd);
			const isOwn = (root: string) => isInside(root, workspace) || isInside(workspace, root);
			const stopped = await pool.stop((server) => (id === undefined || server.id === id) && isOwn(server.root));
			const running = pool.servers().filter(({ root }) => isOwn(root));
			return { stopped, running: [...new Set(running.map(({ config }) => config.id))] };
		},
		/** Starts no server. Default: the workspace. */
		async examineDirectory(directory?: string) {
			const settings = await call.settings();
			if (directory === undefined) return examineWorkspace(examineContext(settings));
			return examineWorkspace(examineContext(settings), await existingDirectory(directory, settings.directory));
		},
		examine: async (file: string) => examineFile(examineContext(await call.settings()), file),
		/** Without a file, of the workspace's running servers. */
		async capabilities(file?: string) {
			if (file !== undefined) {
				const { located } = await service.locate(file, call.params);
				const answer = async ({ server }: FileQuery) => abilities(server);
				const asked = { located, answer, options: { linters: true } };
				const { answers, unanswered } = await askEach(await call.context(), asked);
				return { servers: answers.map((each) => ({ server: each.server, ...each.answer })), unanswered };
			}
			const workspace = await workspaceOf((await call.context()).cwd);
			const running = pool.servers().filter(({ root }) => isInside(root, workspace));
			return { servers: running.map((server) => ({ server: server.config.id, ...abilities(server) })), unanswered: [] };
		},
	};
}
