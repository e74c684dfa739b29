import { dirname, relative } from "node:path";
import type { Diagnostic } from "../../contract/check-report.ts";
import { Directories } from "../../project/directories.ts";
import { nodePackages } from "../../project/manifests/node-packages.ts";
import { isInProject } from "../sources/loaded-project.ts";
import { nearestTypescriptConfig } from "../sources/typescript-config.ts";
import type { Fault, FaultyFile } from "./fault.ts";

const optionsOf: Readonly<Record<string, readonly string[]>> = {
	"1259": ["esModuleInterop", "allowSyntheticDefaultImports", "module"],
	"1309": ["module", "target"],
	"1343": ["module"],
	"1378": ["module", "target"],
	"2550": ["lib", "target"],
	"2583": ["lib", "target"],
	"2584": ["lib"],
	"2732": ["resolveJsonModule", "module"],
	"2792": ["moduleResolution", "module"],
	"2802": ["target", "downlevelIteration"],
	"5097": ["allowImportingTsExtensions", "rewriteRelativeImportExtensions"],
	"6142": ["jsx"],
	"17004": ["jsx"],
};

/** A tsconfig.json above leaves it out. */
export async function outsideProject(file: FaultyFile): Promise<Fault[]> {
	const { path, workspace, diagnostics, server, signal } = file;
	const config = await nearestTypescriptConfig(path, workspace, new Directories());
	if (!config) return [];
	const hasTypes = await (await nodePackages(dirname(path), workspace)).isInstalled("@types/node");
	const caused = diagnostics.filter((found) => follows(found, config.text, hasTypes));
	if (caused.length < 2 || (await isInProject(server, path, signal))) return [];
	const name = relative(workspace, config.path);
	const sentence = `The file is in no project: ${name} does not include it, so it is judged without those options; add it to \`include\`.`;
	return [{ sentence, caused }];
}

function follows({ code = "", message }: Diagnostic, config: string, hasTypes: boolean): boolean {
	const sets = (option: string) => config.includes(`"${option}"`);
	if (code === "2307") return isAlias(message, config);
	if (code === "2580" || code === "2591") return hasTypes && sets("node");
	return optionsOf[code]?.some(sets) === true || (code in optionsOf && sets("extends"));
}

/** `paths` has `"@/*"` for `@/area`. */
function isAlias(message: Diagnostic["message"], config: string): boolean {
	const specifier = /'([^']+)'/.exec(message)?.[1];
	if (specifier === undefined || specifier.startsWith(".") || !config.includes('"paths"')) return false;
	const patterns = [...config.matchAll(/"([^"*]*)(\*?)"\s*:\s*\[/g)];
	return patterns.some(([, prefix = "", star]) =>
		star && prefix ? specifier.startsWith(prefix) : specifier === prefix,
	);
}
