import { delimiter, join, resolve } from "node:path";
import type { LanguageServer } from "../lsp/server.ts";
import { directoriesUp } from "../project/directories.ts";
import { type PythonEnvironment, pythonEnvironment } from "../project/python-environment.ts";
import type { Route } from "../routing/locate.ts";
import { stampOf } from "../util/files.ts";
import { isInside } from "../util/paths.ts";
import { withSchemaUris } from "./schema-settings.ts";

type Values = Readonly<Record<string, unknown>>;

export class ServerSettings {
	readonly #route: Route;
	readonly #workspace: string;
	readonly #env: Readonly<Record<string, string | undefined>>;
	readonly #settingsFiles: readonly string[];
	#stamp: string | undefined;

	constructor(route: Route, workspace: string, env: Readonly<Record<string, string | undefined>>) {
		this.#route = route;
		this.#workspace = workspace;
		this.#env = env;
		const names = route.config.refresh?.settings ?? [];
		const directories = directoriesUp(route.root, workspace);
		this.#settingsFiles = directories.flatMap((directory) => names.map((name) => join(directory, name)));
	}

	get dependOnDisk(): boolean {
		return this.#settingsFiles.length > 0 || this.#route.config.ecosystem === "python";
	}

	async initial(): Promise<Values> {
		const { python, stamp } = await this.#readDisk();
		this.#stamp = stamp;
		return this.#valuesWith(python);
	}

	async update(server: LanguageServer): Promise<void> {
		const { python, stamp } = await this.#readDisk();
		if (stamp === this.#stamp) return;
		this.#stamp = stamp;
		server.configure(this.#valuesWith(python));
	}

	async #readDisk(): Promise<{ readonly python: PythonEnvironment | undefined; readonly stamp: string }> {
		const isPython = this.#route.config.ecosystem === "python";
		const [python, stamps] = await Promise.all([
			isPython ? pythonEnvironment(this.#route.root, this.#workspace, this.#env) : undefined,
			Promise.all(this.#settingsFiles.map(stampOf)),
		]);
		return { python, stamp: JSON.stringify([python?.stamp, stamps]) };
	}

	#valuesWith(python: PythonEnvironment | undefined): Values {
		const { config, root, trusted = false } = this.#route;
		const settings = config.settings ?? {};
		if (config.ecosystem !== "python") return withSchemaUris(settings, root);
		return this.#withSearchPath(withPython(settings, root, python, trusted));
	}

	/** An untrusted server's environment lacks PYTHONPATH: an interpreter would run code there. */
	#withSearchPath(settings: Values): Values {
		const { root, trusted = false } = this.#route;
		const entries = (this.#env.PYTHONPATH ?? "").split(delimiter).filter(Boolean);
		const brought = entries.map((entry) => resolve(root, entry)).filter((path) => isInside(path, this.#workspace));
		if (trusted || brought.length === 0) return settings;
		const python = settings.python as Values;
		const analysis = (python.analysis ?? {}) as Values;
		const extraPaths = [...brought, ...((analysis.extraPaths ?? []) as readonly string[])];
		return { ...settings, python: { ...python, analysis: { ...analysis, extraPaths } } };
	}
}

/** pyright runs the interpreter: without trust the workspace's is not set, only its packages (`extraPaths`). */
function withPython(settings: Values, root: string, found: PythonEnvironment | undefined, trusted: boolean): Values {
	const python = (settings.python ?? {}) as Values;
	if (found?.interpreter !== undefined && (trusted || !found.brought))
		return { ...settings, python: { ...python, pythonPath: found.interpreter } };
	const analysis = { ...(python.analysis as Values | undefined), ...(found ? { extraPaths: found.packages } : {}) };
	// Without both, basedpyright 1.40 runs the root's .venv/bin/python.
	const own = trusted ? {} : { venvPath: root };
	return { ...settings, python: { ...python, ...own, analysis } };
}
