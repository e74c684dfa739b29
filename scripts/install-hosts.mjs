// Installs the second pi, other coding agents, the MCP inspector, MCP's conformance suite, the Node that all need, MCP's
// clients in Python and Go, and the runners of commit hooks from their registries into a folder outside the checkout.
// Installed ones are left alone; failures are named, and the tests that need them are then skipped by name.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// test/faces/pi/hosts.ts, test/agents/agents.ts, test/live/install/commit-hooks.test.ts, and in test/live/faces/mcp
// inspector.test.ts, conformance and foreign look for them here, under these names.
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-hosts");
const packages = {
	[`node-${process.platform}-${process.arch}`]: "22.23.3",
	"@anthropic-ai/claude-code": "2.1.330",
	"@earendil-works/pi-coding-agent": "0.87.1",
	"@github/copilot": "1.0.102",
	"@google/gemini-cli": "0.61.0",
	"@modelcontextprotocol/conformance": "0.2.0-alpha.12",
	"@modelcontextprotocol/inspector": "2.12.0",
	"@openai/codex": "0.169.0",
	husky: "9.1.7",
	lefthook: "2.2.2",
	"opencode-ai": "1.18.33",
};

/** One environment for each, since a later generation of a package replaces an earlier one. */
const pythonPackages = ["mcp==1.30.0", "mcp==2.3.0", "pre-commit==4.7.0"];

mkdirSync(folder, { recursive: true });
if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{ "private": true }\n');

for (const [name, version] of Object.entries(packages)) {
	if (installed(name) === version) continue;
	// All need Node 22, which is the first package; the Node that runs npm may be older.
	const options = ["--save-exact", "--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund"];
	step(`${name} ${version}`, () => run("npm", ["install", ...options, `${name}@${version}`]));
}

for (const wanted of pythonPackages) {
	const environment = join(folder, `python-${wanted.replace("==", "-")}`);
	if (existsSync(join(environment, "complete"))) continue;
	step(wanted, () => {
		run("python3", ["-m", "venv", environment]);
		run(join(environment, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", wanted]);
		writeFileSync(join(environment, "complete"), "");
	});
}

const goModule = fileURLToPath(new URL("../test/live/faces/mcp/foreign/go", import.meta.url));
step("the modules of test/live/faces/mcp/foreign/go", () => run("go", ["build", "-o", "/dev/null", "."], goModule));

function run(program, args, cwd = folder) {
	execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: 600_000 });
}

function step(what, install) {
	try {
		install();
		console.log(`installed ${what}`);
	} catch (error) {
		const npmError = String(error.stderr ?? "").match(/^npm error (?!code)(.+)$/m);
		console.log(`not installed: ${what} (${npmError?.[1] ?? String(error.message).split("\n")[0]})`);
	}
}

/** The installed version, if any. */
function installed(name) {
	const manifest = join(folder, "node_modules", name, "package.json");
	return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
}
