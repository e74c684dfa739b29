import { Random } from "./truth/random.ts";

/** A generated TypeScript project: contents by path, and the places that the benchmarks edit. */
export interface Corpus {
	readonly files: Readonly<Record<string, string>>;
	/** Modules in the middle of the graph; each holds exactly one `ceilingLine(10)`. */
	readonly targets: readonly string[];
	/** The module whose interface `Contract` has the member `amountMember("number")`. */
	readonly contract: string;
	/** The only three files that a change of that member's type breaks, among many that import the module. */
	readonly brokenByContract: readonly string[];
}

const targetCount = 5;
const perDirectory = 25;

/** The line of a target that an edit changes; an error where `value` is no number. */
export function ceilingLine(value: string): string {
	return `const ceiling: number = ${value};`;
}

/** The member of `Contract` that an edit changes. */
export function amountMember(type: string): string {
	return `readonly amount: ${type};`;
}

/**
 * The project is always the same. Every module imports two to four earlier ones, the earliest have the most
 * importers, and one function of each is longer than a screen.
 */
export function makeCorpus(modules = 250): Corpus {
	const source = new Random(7);
	const random = () => source.next();
	const names = Array.from({ length: modules }, (_, index) => nameOf(index));
	const users = new Set([0.3, 0.5, 0.7].map((share) => Math.floor(modules * share)));
	const files: Record<string, string> = {
		"package.json": `{ "name": "corpus", "version": "1.0.0", "type": "module", "private": true }\n`,
		"tsconfig.json": `${JSON.stringify({ compilerOptions, include: ["src"] }, null, "\t")}\n`,
		"src/contract.ts": contractModule,
	};
	for (const [index, name] of names.entries()) {
		const imported = importsOf(index, random);
		const contract = users.has(index) ? "amount" : index % 12 === 5 ? "name" : undefined;
		files[`src/${name}.ts`] = moduleText(index, imported, contract, random);
	}
	const middle = Math.floor(modules / 2);
	return {
		files,
		targets: Array.from({ length: targetCount }, (_, index) => `src/${nameOf(middle + index * 3 + 1)}.ts`),
		contract: "src/contract.ts",
		brokenByContract: [...users].map((index) => `src/${nameOf(index)}.ts`),
	};
}

const compilerOptions = { target: "es2022", module: "nodenext", strict: true, types: [], noEmit: true };

const contractModule = `/** What several modules agree on. */
export interface Contract {
	readonly key: string;
	${amountMember("number")}
	readonly notes: readonly string[];
}

export const contractName = "contract";

export function describeContract(contract: Contract): string {
	return [contractName, contract.key, String(contract.amount), ...contract.notes].join(" ");
}
`;

function nameOf(index: number): string {
	return `part-${String(Math.floor(index / perDirectory)).padStart(2, "0")}/module-${String(index).padStart(3, "0")}`;
}

function importsOf(index: number, random: () => number): number[] {
	const wanted = Math.min(index, 2 + Math.floor(random() * 3));
	const chosen = new Set<number>();
	// The square draws early modules more often: a few hubs with many importers, as in real projects.
	while (chosen.size < wanted) chosen.add(Math.floor(random() ** 2 * index));
	return [...chosen].sort((a, b) => a - b);
}

function moduleText(
	index: number,
	imported: readonly number[],
	contract: "amount" | "name" | undefined,
	random: () => number,
): string {
	const lines = imported.map(
		(other) => `import { type Item${other}, make${other}, score${other} } from "../${nameOf(other)}.js";`,
	);
	if (contract === "amount") lines.push(`import type { Contract } from "../contract.js";`);
	if (contract === "name") lines.push(`import { contractName } from "../contract.js";`);
	lines.push(
		"",
		`/** The item of module ${index}. */`,
		`export interface Item${index} {`,
		"\treadonly id: string;",
		"\treadonly label: string;",
		"\treadonly weight: number;",
		"\treadonly tags: readonly string[];",
		...imported.map((other) => `\treadonly from${other}: Item${other};`),
		"}",
		"",
		`export function make${index}(seed: number): Item${index} {`,
		"\treturn {",
		`\t\tid: \`item-${index}-\${seed}\`,`,
		`\t\tlabel: "module ${index}",`,
		`\t\tweight: seed * ${1 + Math.floor(random() * 9)},`,
		`\t\ttags: ["a", "b", String(seed)],`,
		...imported.map((other) => `\t\tfrom${other}: make${other}(seed + ${other}),`),
		"\t};",
		"}",
		"",
		`export function score${index}(item: Item${index}): number {`,
		`\treturn ${["item.weight", ...imported.map((other) => `score${other}(item.from${other})`)].join(" + ")};`,
		"}",
		...longFunction(index, random),
	);
	if (contract === "amount")
		lines.push(
			"",
			`export function owed${index}(contract: Contract): number {`,
			`\tconst doubled: number = contract.amount;`,
			`\treturn doubled + ${index};`,
			"}",
		);
	if (contract === "name") lines.push("", `export const label${index} = \`\${contractName}-${index}\`;`);
	return `${lines.join("\n")}\n`;
}

function longFunction(index: number, random: () => number): string[] {
	const steps = Array.from({ length: 9 }, (_, step) => [
		`\tif (totals.length > ${step}) {`,
		`\t\tconst part${step} = items.filter((item) => item.weight % ${2 + Math.floor(random() * 7)} === 0);`,
		`\t\tconst sum${step} = part${step}.map((item) => item.weight).reduce((a, b) => a + b, ${step});`,
		`\t\ttotals.push(Math.min(sum${step}, ceiling));`,
		"\t}",
	]).flat();
	return [
		"",
		`export function summarise${index}(items: readonly Item${index}[]): { total: number; labels: string[] } {`,
		`\t${ceilingLine("10")}`,
		"\tconst totals: number[] = [items.length];",
		...steps,
		"\tconst labels = items.map(({ label, tags }) => [label, ...tags].join());",
		"\treturn { total: totals.reduce((a, b) => a + b, 0), labels };",
		"}",
	];
}
