// npm run plugins: writes the plugins for Claude Code, Codex, Copilot CLI, Gemini CLI and clients of Agent Plugins 1.0 into
// dist/plugins.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pluginFiles } from "./plugin-files.ts";

const folder = fileURLToPath(new URL("../dist/plugins", import.meta.url));
rmSync(folder, { recursive: true, force: true });
for (const [path, text] of await pluginFiles()) {
	const file = join(folder, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
console.log(folder);
