import { dirname, join } from "node:path";
import { parse, stringify } from "smol-toml";
import { readJson } from "../../../config/json-reader.ts";
import { attempt } from "../../../util/attempt.ts";
import { isInside } from "../../../util/paths.ts";
import { anySource, readText } from "../../../util/read-file.ts";
import { at } from "../format.ts";
import type { Setting } from "../host.ts";
import { chat, generateContent, messages, type Protocol, responses, type Step } from "./scripted-model.ts";

export interface Place {
	readonly url: string;
	readonly root: string;
	readonly home: string;
	readonly setting: Setting;
	/** Runs hooks whatever the person has trusted. */
	readonly isTrusted: boolean;
}

export interface Drive {
	readonly protocol: Protocol;
	/** Of its configuration, below the private home. */
	readonly folder: string;
	/** They decide whether the file's hooks run. */
	readonly switches: readonly string[];
	/** By absolute path; `own` hold pi-lsp's hooks. */
	files(place: Place, own: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
	args(place: Place): readonly string[];
	env(place: Pick<Place, "url" | "isTrusted">): Readonly<Record<string, string>>;
	write(file: string, text: string): Step;
	/** How a person trusts the hooks; absent where none is asked. */
	readonly trust?: string;
}

const prompt = "Write the file.";

const claudeCode: Drive = {
	protocol: messages,
	folder: ".claude",
	switches: ["disableAllHooks"],
	files: async () => ({}),
	args: () => ["-p", prompt, "--model", "claude-sonnet-4-5", "--permission-mode", "acceptEdits", "--strict-mcp-config"],
	env: ({ url }) => ({
		ANTHROPIC_BASE_URL: url,
		ANTHROPIC_API_KEY: "none",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_TELEMETRY: "1",
		DISABLE_AUTOUPDATER: "1",
	}),
	write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
};

const codex: Drive = {
	protocol: responses,
	folder: ".codex",
	switches: [],
	async files({ url, root, home, setting, isTrusted }) {
		const folder = setting.env.CODEX_HOME || join(setting.home, ".codex");
		const own = parsedToml(await readText(join(folder, "config.toml"), anySource));
		const { project } = setting;
		const [from, to] = project === undefined ? [folder, join(home, ".codex")] : [project, root];
		const trust = project === undefined || isTrusted ? "trusted" : at(own, ["projects", project, "trust_level"]);
		const hooks = at(own, ["features", "hooks"]);
		const state = Object.entries(at(own, ["hooks", "state"]) ?? {}).map(([key, value]) => [
			key.startsWith(from) ? to + key.slice(from.length) : key,
			value,
		]);
		const scripted = {
			name: "scripted",
			base_url: `${url}/v1`,
			wire_api: "responses",
			env_key: "SCRIPTED_KEY",
			request_max_retries: 0,
			stream_max_retries: 0,
			supports_websockets: false,
		};
		const config = {
			model: "gpt-5.5",
			model_provider: "scripted",
			approval_policy: "never",
			check_for_update_on_startup: false,
			web_search: "disabled",
			analytics: { enabled: false },
			features: { plugins: false, apps: false, ...(hooks === undefined ? {} : { hooks }) },
			model_providers: { scripted },
			projects: typeof trust === "string" ? { [root]: { trust_level: trust } } : {},
			hooks: { state: Object.fromEntries(state) },
		};
		return { [join(home, ".codex/config.toml")]: stringify(config) };
	},
	args: ({ isTrusted }) => [
		...["exec", "-s", "danger-full-access", "--skip-git-repo-check"],
		...(isTrusted ? ["--dangerously-bypass-hook-trust"] : []),
		prompt,
	],
	env: () => ({ SCRIPTED_KEY: "none" }),
	write: (file, text) => ({
		tool: "apply_patch",
		input: `*** Begin Patch\n*** Add File: ${file}\n+${text.trimEnd()}\n*** End Patch\n`,
	}),
	trust: "start `codex` in the project, trust it, then `/hooks`",
};

const gemini: Drive = {
	protocol: generateContent,
	folder: ".gemini",
	switches: ["hooksConfig"],
	async files({ root, home, setting }, own) {
		const folder = join(setting.home, ".gemini");
		const trusted = parsedJson(await readText(join(folder, "trustedFolders.json"), anySource));
		const settings = parsedJson(await readText(join(folder, "settings.json"), anySource));
		const folderTrust = at(settings, ["security", "folderTrust"]);
		const file = join(home, ".gemini/settings.json");
		const scripted = {
			general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
			privacy: { usageStatisticsEnabled: false },
			telemetry: { enabled: false },
			security: {
				auth: { selectedType: "gemini-api-key" },
				...(typeof folderTrust === "object" ? { folderTrust } : {}),
			},
		};
		return {
			[file]: JSON.stringify({ ...(parsedJson(own[file]) as object), ...scripted }),
			[join(home, ".gemini/trustedFolders.json")]: JSON.stringify(trustIn(trusted, setting.project, root)),
		};
	},
	args: ({ setting: { project }, isTrusted }) => [
		...["-m", "gemini-2.5-flash"],
		// With it a project's hooks are not loaded.
		...(project === undefined && !isTrusted ? ["--skip-trust"] : []),
		...["--approval-mode", "yolo", "-o", "json", "-p", prompt],
	],
	env: ({ url, isTrusted }) => ({
		GEMINI_API_KEY: "none",
		GOOGLE_GEMINI_BASE_URL: url,
		GEMINI_CLI_NO_RELAUNCH: "true",
		GEMINI_TELEMETRY_ENABLED: "false",
		...(isTrusted ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {}),
	}),
	write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
	trust: "start `gemini` in the project and trust the folder",
};

function trustIn(folders: unknown, project: string | undefined, root: string): Readonly<Record<string, unknown>> {
	const around = Object.entries(folders as object)
		.map(([folder, trust]) => [trust === "TRUST_PARENT" ? dirname(folder) : folder, trust] as const)
		.filter(([folder]) => project !== undefined && isInside(project, folder))
		.sort(([one], [other]) => other.length - one.length);
	return around[0] === undefined ? {} : { [root]: around[0][1] === "DO_NOT_TRUST" ? "DO_NOT_TRUST" : "TRUST_FOLDER" };
}

const copilot: Drive = {
	protocol: chat,
	folder: ".copilot",
	switches: ["version", "disableAllHooks"],
	async files({ root, home, setting }) {
		const { project } = setting;
		const folder = setting.env.COPILOT_HOME || join(setting.home, ".copilot");
		const config = parsedJson(await readText(join(folder, "config.json"), anySource));
		const names = ["trusted_folders", "trustedFolders"];
		const isTrusted = names.some((name) => {
			const list = at(config, [name]);
			return project !== undefined && Array.isArray(list) && list.some((folder) => isInside(project, String(folder)));
		});
		const own = isTrusted ? Object.fromEntries(names.map((name) => [name, [root]])) : {};
		return { [join(home, ".copilot/config.json")]: JSON.stringify(own) };
	},
	args: ({ setting: { project }, isTrusted }) => [
		...["-p", prompt, "--allow-all", "--no-auto-update", "--no-color", "--disable-builtin-mcps"],
		...(isTrusted || project === undefined ? ["--trust-folder"] : []),
	],
	env: ({ url }) => ({
		COPILOT_OFFLINE: "true",
		COPILOT_AUTO_UPDATE: "false",
		COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
		COPILOT_PROVIDER_TYPE: "openai",
		COPILOT_PROVIDER_API_KEY: "none",
		COPILOT_MODEL: "scripted",
	}),
	write: (path, file_text) => ({ tool: "create", input: { path, file_text } }),
	trust: "start `copilot` in the project and trust the folder",
};

const opencode: Drive = {
	protocol: chat,
	folder: ".config/opencode",
	switches: [],
	files: async ({ url, home }) => ({
		[join(home, ".config/opencode/opencode.json")]: JSON.stringify({
			$schema: "https://opencode.ai/config.json",
			autoupdate: false,
			share: "disabled",
			model: "scripted/scripted",
			small_model: "scripted/scripted",
			enabled_providers: ["scripted"],
			provider: {
				scripted: {
					npm: "@ai-sdk/openai-compatible",
					name: "scripted",
					options: { baseURL: `${url}/v1`, apiKey: "none" },
					models: { scripted: { name: "scripted", limit: { context: 200_000, output: 8_000 } } },
				},
			},
			permission: { edit: "allow" },
			lsp: false,
		}),
	}),
	args: () => ["run", "--format", "json", prompt],
	env: () => ({
		OPENCODE_DISABLE_AUTOUPDATE: "true",
		OPENCODE_DISABLE_MODELS_FETCH: "true",
		OPENCODE_DISABLE_DEFAULT_PLUGINS: "true",
		OPENCODE_DISABLE_LSP_DOWNLOAD: "true",
		// It would install a package along with the plugin.
		npm_config_offline: "true",
	}),
	write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
};

export const drives: Readonly<Record<string, Drive>> = {
	"claude-code": claudeCode,
	codex,
	gemini,
	copilot,
	opencode,
};

function parsedToml(text: string | undefined): unknown {
	return attempt(() => parse(text ?? ""), {});
}

function parsedJson(text: string | undefined): unknown {
	return attempt(() => readJson(text ?? "{}").value, {});
}
