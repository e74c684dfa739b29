import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import type { Diagnostic } from "../../contract/check-report.ts";
import { type NodePackages, nodePackages } from "../../project/manifests/node-packages.ts";
import { type Fault, type FaultyFile, listed } from "./fault.ts";

const ofNode = ["@types/node"];
const ofBun = ["@types/bun", "bun-types"];
const ofTests = ["@types/jest", "@types/mocha", "@jest/globals", "vitest", "@types/jasmine"];
const ofJsx = ["@types/react", "react", "preact", "solid-js"];

const testNames = /^(expect|jest|vi|suite|before|after|beforeEach|afterEach|beforeAll|afterAll)$/;
const nodeNames = new Set([
	...Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-zA-Z]/.test(name)),
	...["require", "module", "exports", "__dirname", "__filename", "NodeJS"],
]);

/** Not installed, left out by `types` (TypeScript 7 by default), or undeclared. */
export async function missingPackages({ path, workspace, diagnostics }: FaultyFile): Promise<Fault[]> {
	const needs = diagnostics.map((found) => ({ found, packages: packagesFor(found) }));
	const wanting = needs.filter(({ packages }) => packages.length > 0);
	if (wanting.length < 2) return [];
	const project = await nodePackages(dirname(path), workspace);
	if (project.plugAndPlay) return [];
	const names = [...new Set(wanting.flatMap(({ packages }) => packages))];
	const states = await Promise.all(names.map((name) => project.isInstalled(name)));
	const installed = new Set(names.filter((_, index) => states[index]));
	const known = new Set(project.manifests.flatMap(({ dependencies }) => dependencies));
	const absent: { found: Diagnostic; name: string }[] = [];
	const unnamed: Diagnostic[] = [];
	const undeclared: { found: Diagnostic; name: string }[] = [];
	for (const { found, packages } of wanting) {
		const declared = packages.filter((name) => known.has(name));
		const missing = declared.find((name) => !installed.has(name));
		const [first = ""] = packages;
		if (declared.length > 0 && !declared.some((name) => installed.has(name)) && missing !== undefined)
			absent.push({ found, name: missing });
		else if (installed.has(first) && isAmbient(found)) unnamed.push(found);
		else if (declared.length === 0 && isAmbient(found) && first.startsWith("@types/"))
			undeclared.push({ found, name: first });
	}
	return [...notInstalled(absent, project), ...leftOut(unnamed), ...notDeclared(undeclared, project)].filter(
		({ caused }) => caused.length > 0,
	);
}

function packagesFor({ code, message }: Diagnostic): readonly string[] {
	const name = /'([^']+)'/.exec(message)?.[1] ?? "";
	switch (code) {
		case "2307":
		case "2792":
			return providersOf(name);
		case "7016":
			return providersOf(name).slice(1);
		case "2875":
			return [...providersOf(name), ...ofJsx];
		case "7026":
			return ofJsx;
		case "2688":
			return [`@types/${name}`, name];
		case "2580":
		case "2591":
			return ofNode;
		case "2581":
		case "2592":
			return ["@types/jquery"];
		case "2582":
		case "2593":
			return ofTests;
		case "2867":
		case "2868":
			return ofBun;
		case "2304":
		case "2503":
		case "2584":
			if (name === "React" || name === "JSX") return ofJsx;
			if (testNames.test(name)) return ofTests;
			return nodeNames.has(name) ? ofNode : [];
		default:
			return [];
	}
}

function providersOf(specifier: string): string[] {
	if (isBuiltin(specifier)) return [...ofNode];
	const name = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*/.exec(specifier)?.[0];
	if (name === undefined || /^[./#]/.test(specifier)) return [];
	return [name, `@types/${name.replace(/^@([^/]+)\//, "$1__")}`];
}

function isAmbient({ code, message }: Diagnostic): boolean {
	if (["2307", "2792"].includes(code ?? "")) return isBuiltin(/'([^']+)'/.exec(message)?.[1] ?? "");
	return !["7016", "2875", "7026"].includes(code ?? "");
}

type Missing = readonly { readonly found: Diagnostic; readonly name: string }[];

function notInstalled(absent: Missing, { manifests, nothingInstalled, commands }: NodePackages): Fault[] {
	const names = [...new Set(absent.map(({ name }) => name))];
	const manifest = manifests.find(({ dependencies }) => names.some((name) => dependencies.includes(name)));
	if (!manifest) return [];
	const { length } = manifest.dependencies;
	const count = `${length} ${length === 1 ? "dependency" : "dependencies"}`;
	const sentence = nothingInstalled
		? `node_modules is missing: ${manifest.name} names ${count}; run \`${commands.install}\`.`
		: `${listed(names)} ${names.length === 1 ? "is" : "are"} in ${manifest.name} and not in node_modules; run \`${commands.install}\`.`;
	return [{ sentence, caused: absent.map(({ found }) => found) }];
}

function leftOut(unnamed: readonly Diagnostic[]): Fault[] {
	const proven = unnamed.filter(({ code = "" }) => ["2591", "2592", "2593", "2868"].includes(code));
	return [...new Set(proven.map((found) => packagesFor(found)[0] ?? ""))].map((name) => ({
		sentence: `\`${name}\` is installed and \`types\` of the tsconfig does not name it; add "${name.replace("@types/", "")}" there.`,
		caused: unnamed.filter((found) => packagesFor(found)[0] === name),
	}));
}

function notDeclared(undeclared: Missing, { commands }: NodePackages): Fault[] {
	const proven = undeclared.filter(({ found }) => !["2304", "2503", "2584"].includes(found.code ?? ""));
	return [...new Set(proven.map(({ name }) => name))].map((name) => ({
		sentence: `\`${name}\` is neither in package.json nor in node_modules; run \`${commands.add} ${name}\`.`,
		caused: undeclared.filter((missing) => missing.name === name).map(({ found }) => found),
	}));
}
