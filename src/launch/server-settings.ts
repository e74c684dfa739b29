import { join } from "node:path";
import type { LanguageServer } from "../lsp/server.ts";
import { directoriesUp } from "../project/directories.ts";
import { type PythonEnvironment, pythonEnvironment } from "../project/python-environment.ts";
import type { Route } from "../routing/locate.ts";
import { stampOf } from "../util/files.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a server is configured with, made of its own settings and of what is found on disk. */
export interface ComputedSettings {
	readonly values: Values;
	/** Makes the function that looks again, and gives a server what has become of its settings since. */
	keeper(server: LanguageServer): () => Promise<void>;
}

/**
 * The settings of a route's server. For Python: the environment of the project. Its interpreter is handed over only if
 * it may be run (pyright runs it to learn its search path): after trust, or if it lies outside the workspace, where no
 * repository can have put it. Of any other only the installed packages are named, as `extraPaths`, which runs nothing.
 */
export async function computedSettings(
	route: Route,
	workspace: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<ComputedSettings> {
	const { config } = route;
	if (config.ecosystem !== "python" && !config.refresh?.settings)
		return { values: config.settings ?? {}, keeper: () => async () => {} };
	const first = await compute(route, workspace, env);
	return {
		values: first.values,
		keeper: (server) => {
			let { stamp } = first;
			return async () => {
				const now = await compute(route, workspace, env);
				if (now.stamp === stamp) return;
				stamp = now.stamp;
				server.configure(now.values);
			};
		},
	};
}

async function compute(
	{ config, root, trusted = false }: Route,
	workspace: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly values: Values; readonly stamp: string }> {
	const settings = config.settings ?? {};
	const names = config.refresh?.settings ?? [];
	const files = directoriesUp(root, workspace).flatMap((directory) => names.map((name) => join(directory, name)));
	const isPython = config.ecosystem === "python";
	const [python, stamps] = await Promise.all([
		isPython ? pythonEnvironment(root, workspace, env) : undefined,
		Promise.all(files.map((file) => stampOf(file))),
	]);
	const stamp = JSON.stringify([python?.stamp ?? null, stamps.map((one) => one ?? null)]);
	return { values: isPython ? withPython(settings, root, python, trusted) : settings, stamp };
}

function withPython(settings: Values, root: string, found: PythonEnvironment | undefined, trusted: boolean): Values {
	const python = (settings.python ?? {}) as Values;
	if (found?.interpreter !== undefined && (trusted || !found.brought))
		return { ...settings, python: { ...python, pythonPath: found.interpreter } };
	const analysis = { ...(python.analysis as Values | undefined), ...(found ? { extraPaths: found.packages } : {}) };
	// Given neither, basedpyright 1.40 runs the root's .venv/bin/python, whoever put it there.
	const own = trusted ? {} : { venvPath: root };
	return { ...settings, python: { ...python, ...own, analysis } };
}
