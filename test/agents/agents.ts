import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Drive, drives } from "../../src/faces/agents/examine/drives.ts";
import type { Protocol, Step } from "../../src/faces/agents/examine/scripted-model.ts";
import { HOSTS_FOLDER } from "../faces/pi/hosts.ts";

/** A coding agent that `scripts/install-hosts.mjs` installs, and how a scripted model drives it. */
export interface Agent {
	/** The name by which `pi-lsp init` calls it. */
	readonly name: string;
	/** The program's path below `node_modules`. */
	readonly program: string;
	readonly protocol: Protocol;
	/** The user's earlier configuration: absolute path, and text. */
	files(at: Directories): Readonly<Record<string, string>>;
	/** The configuration that `init` adds to. */
	shared(at: Directories): string;
	readonly args: readonly string[];
	env(at: Directories): Readonly<Record<string, string>>;
	/** The call of a pi-lsp tool over MCP. */
	ask(tool: string, input: unknown): Step;
	/** The calls that replace a text in a file. */
	edit(file: string, from: string, to: string): readonly Step[];
}

interface Directories {
	/** The address of the model. */
	readonly url: string;
	readonly root: string;
	readonly home: string;
	/** The directory of the user's configurations. */
	readonly config: string;
}

export function programOf({ program }: Agent): string {
	return join(HOSTS_FOLDER, "node_modules", program);
}

export function isInstalled(agent: Agent): boolean {
	return existsSync(programOf(agent));
}

const prompt = "Do the scripted work.";

const entries: readonly Omit<Agent, "protocol" | "env">[] = [
	{
		name: "claude-code",
		// What `.bin` has starts only once a script of the package has run.
		program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
		shared: ({ home }) => join(home, ".claude/settings.json"),
		files: ({ home }) => ({
			[join(home, ".claude/settings.json")]: '{ "permissions": { "allow": ["Bash", "mcp__pi-lsp"] } }\n',
		}),
		args: ["-p", prompt, "--model", "claude-sonnet-4-5", "--permission-mode", "acceptEdits"],
		ask: (tool, input) => ({ tool: `mcp__pi-lsp__${tool}`, input }),
		edit: (file, from, to) => [
			{ tool: "Read", input: { file_path: file } },
			{ tool: "Edit", input: { file_path: file, old_string: from, new_string: to } },
		],
	},
	{
		name: "codex",
		program: ".bin/codex",
		shared: ({ home }) => join(home, ".codex/config.toml"),
		files: ({ url, root, home }) => ({
			[join(home, ".codex/config.toml")]: `# Mine.
model = "gpt-5.5" # decides which tools there are
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false
web_search = "disabled"
analytics = { enabled = false }
features = { plugins = false, apps = false }

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[projects."${root}"]
trust_level = "trusted"
`,
		}),
		args: [
			"exec",
			"--json",
			"-s",
			"danger-full-access",
			"--skip-git-repo-check",
			"--dangerously-bypass-hook-trust",
			prompt,
		],
		ask: (tool, input) => ({ namespace: "mcp__pi_lsp", tool, input }),
		edit: (file, from, to) => [
			{
				tool: "apply_patch",
				input: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch\n`,
			},
		],
	},
	{
		name: "gemini",
		program: ".bin/gemini",
		shared: ({ home }) => join(home, ".gemini/settings.json"),
		files: ({ home }) => ({
			[join(home, ".gemini/settings.json")]: `{
  // Mine.
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "security": { "auth": { "selectedType": "gemini-api-key" } }
}
`,
		}),
		args: ["-m", "gemini-2.5-flash", "--skip-trust", "--approval-mode", "yolo", "-o", "json", "-p", prompt],
		ask: (tool, input) => ({ tool: `mcp_pi-lsp_${tool}`, input }),
		edit: (file, from, to) => [
			{ tool: "replace", input: { file_path: file, instruction: "change it", old_string: from, new_string: to } },
		],
	},
	{
		name: "copilot",
		program: ".bin/copilot",
		shared: ({ home }) => join(home, ".copilot/mcp-config.json"),
		files: ({ home }) => ({ [join(home, ".copilot/mcp-config.json")]: '{ "mcpServers": {} }' }),
		args: ["-p", prompt, "--trust-folder", "--allow-all", "--no-auto-update", "--no-color", "--disable-builtin-mcps"],
		ask: (tool, input) => ({ tool: `pi-lsp-${tool}`, input }),
		edit: (file, from, to) => [{ tool: "edit", input: { path: file, old_str: from, new_str: to } }],
	},
	{
		name: "opencode",
		// What `.bin` has starts only once a script of the package has run.
		program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
		shared: ({ config }) => join(config, "opencode/opencode.json"),
		files: ({ url, config }) => ({
			[join(config, "opencode/opencode.json")]: JSON.stringify({
				// The agent would add this field itself.
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
				// `init` adds the pi-lsp tools that change nothing.
				permission: { "*": "ask", read: "allow", edit: "allow", bash: "allow", "pi-lsp_lsp": "allow" },
				lsp: false,
			}),
		}),
		args: ["run", "--format", "json", prompt],
		ask: (tool, input) => ({ tool: `pi-lsp_${tool}`, input }),
		edit: (file, from, to) => [
			{ tool: "read", input: { filePath: file } },
			{ tool: "edit", input: { filePath: file, oldString: from, newString: to } },
		],
	},
];

/** The protocol and the environment are those that `doctor` drives it with. */
export const agents: readonly Agent[] = entries.map((entry) => {
	const { protocol, env } = drives[entry.name] as Drive;
	return { ...entry, protocol, env: ({ url }) => env({ url, isTrusted: false }) };
});
