import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Project, withProject } from "../diagnostics/project.ts";
import { FAKE_SERVER } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import type { Workspace } from "../support/workspace.ts";

/**
 * A project whose only server is a fake one, for `a.zzz`; `over` overrides its configuration. The script may depend
 * on the project's directory.
 */
export function withFakeServer(
	script: Script | ((root: string) => Script),
	body: (project: Project) => Promise<void>,
	over: object = {},
): Promise<void> {
	return withProject({ "a.zzz": "/// WRONG\nname(name)\n" }, async (project) => {
		configure(project.ws, typeof script === "function" ? script(project.ws.root) : script, over);
		await body(project);
	});
}

/** Sets the fake's script; a configuration of the user's own names it. */
function configure(ws: Workspace, script: Script, over: object = {}): void {
	const file = join(ws.base, "script.json");
	writeFileSync(file, JSON.stringify({ ...script, capabilities: { ...everything, ...script.capabilities } }));
	const config = join(String(ws.env.XDG_CONFIG_HOME), "pi-lsp/config.json");
	mkdirSync(dirname(config), { recursive: true });
	const fake = {
		match: ["zzz"],
		command: process.execPath,
		args: [FAKE_SERVER, file],
		languageId: "zzz",
		looseFiles: true,
		...over,
	};
	writeFileSync(config, JSON.stringify({ servers: { fake } }));
}

/** All capabilities that a fake server can announce in addition to its own. */
export const everything = {
	declarationProvider: true,
	typeDefinitionProvider: true,
	implementationProvider: true,
	documentHighlightProvider: true,
	documentSymbolProvider: true,
	callHierarchyProvider: true,
	typeHierarchyProvider: true,
	renameProvider: { prepareProvider: true },
	signatureHelpProvider: {},
	completionProvider: {},
	inlayHintProvider: true,
	foldingRangeProvider: true,
	codeActionProvider: true,
	semanticTokensProvider: { full: true, range: true, legend: { tokenTypes: ["word"], tokenModifiers: [] } },
};
