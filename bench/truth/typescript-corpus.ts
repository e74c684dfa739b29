import type { Files } from "../../test/support/workspace.ts";
import { Random } from "./random.ts";

/** How a generated module declares its exports; each style propagates changes in another way. */
const styles = [
	"explicit",
	"inferred",
	"class",
	"default function",
	"default class",
	"default value",
	"generic",
	"arrow",
	"overloads",
	"enum",
	"alias",
	"namespace",
] as const;
type Style = (typeof styles)[number];

/** How a module imports an earlier one. */
const ways = ["named", "namespace", "barrel", "renamed", "dynamic", "star"] as const;
type Way = (typeof ways)[number];

const perDirectory = 10;

export interface ModulesOptions {
	readonly count: number;
	readonly seed: number;
	/** The specifier by which one file names another, both relative to the project and without `.ts`. */
	readonly specifier?: (from: string, to: string) => string;
	/** The directory of the module with this number. */
	readonly directory?: (index: number) => string;
}

/**
 * The modules of a generated project, by path: interfaces, classes, enums, generics, overloads, default exports, types
 * inferred over several steps, `import * as`, and in every directory an `index.ts` with `export *`.
 */
export function makeModules({ count, seed, specifier = relativeSpecifier, directory = partOf }: ModulesOptions): Files {
	const random = new Random(seed);
	const files: Record<string, string> = {};
	const styleOf = (index: number) => styles[index % styles.length] as Style;
	const barrels = new Map<string, string[]>();
	for (let index = 0; index < count; index++) {
		const path = `${directory(index)}/module-${index}`;
		const uses: Use[] = [];
		const wanted = Math.min(index, 1 + random.below(3));
		const chosen = new Set<number>();
		while (chosen.size < wanted) chosen.add(Math.floor(random.next() ** 1.3 * index));
		for (const other of chosen) {
			const usable = ways.filter((way) => way !== "barrel" || directory(other) !== directory(index));
			uses.push({ other, style: styleOf(other), way: random.pick(usable) ?? "named" });
		}
		const from = (target: string) => specifier(path, target);
		const moduleOf = (other: number) => from(`${directory(other)}/module-${other}`);
		const barrelOf = (other: number) => from(`${directory(other)}/index`);
		files[`${path}.ts`] = moduleText(index, styleOf(index), uses, moduleOf, barrelOf);
		barrels.set(directory(index), [...(barrels.get(directory(index)) ?? []), barrelLine(index, styleOf(index))]);
	}
	for (const [name, lines] of barrels) files[`${name}/index.ts`] = `${lines.join("\n")}\n`;
	return files;
}

interface Use {
	readonly other: number;
	readonly style: Style;
	readonly way: Way;
}

function partOf(index: number): string {
	return `src/part-${Math.floor(index / perDirectory)}`;
}

/** The relative specifier of one file in another, with the extension that Node needs. */
export function relativeSpecifier(from: string, to: string): string {
	const here = from.split("/").slice(0, -1);
	const there = to.split("/");
	let common = 0;
	while (common < here.length && here[common] === there[common]) common++;
	const up = here.length - common;
	return `${up ? "../".repeat(up) : "./"}${there.slice(common).join("/")}.js`;
}

function barrelLine(index: number, style: Style): string {
	const module = `"./module-${index}.js"`;
	const named = style.startsWith("default") ? `export { default as make${index} } from ${module};\n` : "";
	return `${named}export * from ${module};`;
}

/** A module: `make<n>(seed)` returns an item with `id`, `weight` and `parts`, in the module's own style. */
function moduleText(
	index: number,
	style: Style,
	uses: readonly Use[],
	moduleOf: (other: number) => string,
	barrelOf: (other: number) => string,
): string {
	const imports = uses.map((use) => importLine(use, moduleOf(use.other), barrelOf(use.other)));
	const body = uses.map((use) => useLines(index, use, moduleOf(use.other)));
	const weights = uses.map(({ other, style: of, way }) => `${callOf(other, of, way)}.weight`);
	const extras = uses.filter(({ way }) => way === "star").map(({ other }) => `export * from "${moduleOf(other)}";`);
	return `${[...imports, ...extras, "", ...declarations(index, style, weights), ...body].join("\n")}\n`;
}

function importLine({ other, style, way }: Use, module: string, barrel: string): string {
	const isDefault = style.startsWith("default");
	switch (way) {
		case "namespace":
			return `import * as all${other} from "${module}";`;
		case "barrel":
			return `import { make${other}, type Item${other} } from "${barrel}";`;
		case "renamed":
			return isDefault
				? `import { default as other${other}, type Item${other} } from "${module}";`
				: `import { make${other} as other${other}, type Item${other} } from "${module}";`;
		default:
			return isDefault
				? `import make${other}, { type Item${other} } from "${module}";`
				: `import { make${other}, type Item${other} } from "${module}";`;
	}
}

function callOf(other: number, style: Style, way: Way): string {
	const name =
		way === "namespace"
			? style.startsWith("default")
				? `all${other}.default`
				: `all${other}.make${other}`
			: way === "renamed"
				? `other${other}`
				: `make${other}`;
	if (style === "default class") return `new ${name}(seed)`;
	if (style === "default value") return `${name}.of(seed)`;
	return `${name}(seed)`;
}

/** Code that breaks when its imports change. */
function useLines(index: number, { other, style, way }: Use, module: string): string {
	const type = way === "namespace" ? `all${other}.Item${other}` : `Item${other}`;
	const lines = [
		"",
		`export function read${index}From${other}(seed: number): string {`,
		`\tconst item: ${type} = ${callOf(other, style, way)};`,
		"\tconst weight: number = item.weight;",
		`\treturn item.id.toUpperCase() + weight.toFixed(1) + item.parts.join(",");`,
		"}",
		"",
		`export const relay${index}From${other} = (seed: number) => ${callOf(other, style, way)};`,
	];
	if (way === "dynamic")
		lines.push(
			"",
			`export async function later${index}From${other}() {`,
			`\tconst { first${other} } = await import("${module}");`,
			`\treturn first${other}.weight + 1;`,
			"}",
		);
	return lines.join("\n");
}

function declarations(index: number, style: Style, weights: readonly string[]): string[] {
	const weight = ["seed", ...weights].join(" + ");
	const literal = `{ id: \`item-${index}-\${seed}\`, weight: ${weight}, parts: ["a", String(seed)] }`;
	const item = [
		`export interface Item${index} {`,
		"\treadonly id: string;",
		"\treadonly weight: number;",
		"\treadonly parts: readonly string[];",
		"}",
		"",
	];
	const first = (call: string) => ["", `export const first${index} = ${call};`];
	switch (style) {
		case "explicit":
			return [
				...item,
				`export function make${index}(seed: number): Item${index} {`,
				`\treturn ${literal};`,
				"}",
				...first(`make${index}(1)`),
			];
		case "inferred":
			return [
				`export function make${index}(seed: number) {`,
				`\tconst made = ${literal};`,
				"\treturn made;",
				"}",
				"",
				`export type Item${index} = ReturnType<typeof make${index}>;`,
				...first(`make${index}(1)`),
			];
		case "class":
			return [
				`export class Item${index} {`,
				"\treadonly id: string;",
				"\tweight: number;",
				"\tprotected readonly seed: number;",
				"",
				"\tconstructor(seed: number) {",
				"\t\tthis.seed = seed;",
				`\t\tthis.id = \`item-${index}-\${seed}\`;`,
				`\t\tthis.weight = ${weight};`,
				"\t}",
				"",
				"\tget parts(): string[] {",
				`\t\treturn [this.id, this.label("x")];`,
				"\t}",
				"",
				"\tlabel(prefix: string) {",
				"\t\treturn prefix + this.seed;",
				"\t}",
				"}",
				"",
				`export class Special${index} extends Item${index} {`,
				"\toverride label(prefix: string): string {",
				"\t\treturn super.label(prefix).trim();",
				"\t}",
				"}",
				"",
				`export const make${index} = (seed: number) => new Special${index}(seed);`,
				...first(`make${index}(1)`),
			];
		case "default function":
			return [
				...item,
				`export default function make${index}(seed: number): Item${index} {`,
				`\treturn ${literal};`,
				"}",
				...first(`make${index}(1)`),
			];
		case "default class":
			return [
				`export interface Item${index} {`,
				"\tid: string;",
				"\tweight: number;",
				"\tparts: string[];",
				"}",
				"",
				`export default class Maker${index} implements Item${index} {`,
				`\tid = "item-${index}";`,
				`\tparts = [this.id];`,
				"\tweight: number;",
				"\tconstructor(seed: number) {",
				`\t\tthis.weight = ${weight};`,
				"\t}",
				"}",
				...first(`new Maker${index}(1)`),
			];
		case "default value":
			return [
				...item,
				"export default {",
				`\tlabel: "value ${index}",`,
				`\tof(seed: number): Item${index} {`,
				`\t\treturn ${literal};`,
				"\t},",
				"};",
				...first(`{ id: "first", weight: ${index}, parts: [] as string[] }`),
			];
		case "generic":
			return [
				`export interface Box${index}<T extends { id: string }> {`,
				"\treadonly value: T;",
				"\tmap<R extends { id: string }>(change: (value: T) => R): R;",
				"}",
				"",
				`export function box${index}<T extends { id: string }>(value: T): Box${index}<T> {`,
				"\treturn { value, map: (change) => change(value) };",
				"}",
				"",
				`export function make${index}(seed: number) {`,
				`\treturn box${index}(${literal}).map((value) => ({ ...value, extra: true }));`,
				"}",
				"",
				`export type Item${index} = Pick<ReturnType<typeof make${index}>, "id" | "weight" | "parts">;`,
				...first(`make${index}(1)`),
			];
		case "arrow":
			return [
				...item,
				`const build = (seed: number) => (${literal});`,
				"",
				`export const make${index} = (seed: number): Item${index} => build(seed);`,
				...first("build(1)"),
			];
		case "overloads":
			return [
				...item,
				`export function make${index}(seed: number): Item${index};`,
				`export function make${index}(seed: string, more: boolean): Item${index}[];`,
				`export function make${index}(given: number | string, more?: boolean): Item${index} | Item${index}[] {`,
				"\tconst seed = Number(given);",
				`\tconst made = ${literal};`,
				"\treturn more ? [made] : made;",
				"}",
				...first(`make${index}(1)`),
			];
		case "enum":
			return [
				`export enum Level${index} {`,
				"\tLow = 1,",
				"\tHigh = 2,",
				"}",
				"",
				...item.slice(0, -2),
				`\treadonly level: Level${index};`,
				"}",
				"",
				`export const levels${index} = { low: Level${index}.Low, high: Level${index}.High } as const;`,
				"",
				`export function make${index}(seed: number): Item${index} {`,
				`\treturn { ...${literal}, level: seed > 1 ? levels${index}.high : Level${index}.Low };`,
				"}",
				...first(`make${index}(1)`),
			];
		case "alias":
			return [
				`type Base${index} = { id: string; weight: number };`,
				`type Parts${index}<T> = { parts: readonly T[] };`,
				`export type Item${index} = Base${index} & Parts${index}<string>;`,
				"",
				`const made${index} = (seed: number) => ${`(${literal})`};`,
				`function make${index}(seed: number): Item${index} {`,
				`\treturn made${index}(seed);`,
				"}",
				"",
				`const first${index} = make${index}(1);`,
				`export { first${index}, make${index} };`,
			];
		case "namespace":
			return [
				`export namespace Space${index} {`,
				"\texport interface Inner {",
				"\t\tid: string;",
				"\t\tweight: number;",
				"\t\tparts: string[];",
				"\t}",
				`\texport const start: number = ${index};`,
				"}",
				"",
				`export type Item${index} = Space${index}.Inner;`,
				"",
				`export function make${index}(seed: number): Space${index}.Inner {`,
				`\treturn { id: \`item-${index}-\${seed}\`, weight: Space${index}.start + ${weight}, parts: [] };`,
				"}",
				...first(`make${index}(1)`),
			];
	}
}
