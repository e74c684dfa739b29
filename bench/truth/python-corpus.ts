import type { Files } from "../../test/support/workspace.ts";
import { Random } from "./random.ts";

const perPackage = 10;

/**
 * The modules of a generated Python project, by path: dataclasses, classes with methods, functions with and without a
 * return type, protocols, constants, and packages that re-export the names of their modules.
 */
export function makePythonModules({ count, seed }: { readonly count: number; readonly seed: number }): Files {
	const random = new Random(seed);
	const files: Record<string, string> = {};
	const packages = new Map<string, string[]>();
	for (let index = 0; index < count; index++) {
		const chosen = new Set<number>();
		const wanted = Math.min(index, 1 + random.below(3));
		while (chosen.size < wanted) chosen.add(Math.floor(random.next() ** 1.3 * index));
		const name = packageOf(index);
		const lines = [...chosen].map((other) => importOf(index, other, random));
		files[`${name}/module_${index}.py`] = moduleText(index, lines);
		packages.set(name, [
			...(packages.get(name) ?? []),
			index % 3 === 0
				? `from .module_${index} import *`
				: `from .module_${index} import Item${index} as Item${index}, make_${index} as make_${index}`,
		]);
	}
	for (const [name, lines] of packages) files[`${name}/__init__.py`] = `${lines.join("\n")}\n`;
	return files;
}

function packageOf(index: number): string {
	return `part_${Math.floor(index / perPackage)}`;
}

interface Import {
	readonly other: number;
	readonly line: string;
	readonly make: string;
	readonly type: string;
}

function importOf(index: number, other: number, random: Random): Import {
	const module = `${packageOf(other)}.module_${other}`;
	const [make, type] = [`make_${other}`, `Item${other}`];
	const ways: Import[] = [
		{ other, line: `from ${module} import ${type}, ${make}`, make, type },
		{ other, line: `import ${module} as m_${other}`, make: `m_${other}.${make}`, type: `m_${other}.${type}` },
		{ other, line: `from ${module} import ${make} as other_${other}, ${type}`, make: `other_${other}`, type },
	];
	if (packageOf(other) !== packageOf(index))
		ways.push({ other, line: `from ${packageOf(other)} import ${type}, ${make}`, make, type });
	return random.pick(ways) as Import;
}

function moduleText(index: number, imports: readonly Import[]): string {
	const weight = ["seed", ...imports.map(({ make }) => `${make}(seed).weight`)].join(" + ");
	const lines = [
		"from __future__ import annotations",
		"from dataclasses import dataclass, field",
		...imports.map(({ line }) => line),
		"",
		"",
		...itemOf(index),
		"",
		"",
		`def make_${index}(seed: int)${index % 4 === 1 ? "" : ` -> Item${index}`}:`,
		`    return Item${index}("item-${index}", ${weight})`,
		"",
		"",
		`first_${index} = make_${index}(1)`,
		...imports.flatMap(({ other, make, type }) => [
			"",
			"",
			`def read_${index}_from_${other}(seed: int) -> str:`,
			`    item: ${type} = ${make}(seed)`,
			"    weight: int = item.weight",
			`    return item.name.upper() + str(weight) + item.label("x")`,
			"",
			"",
			`def relay_${index}_from_${other}(seed: int):`,
			`    return ${make}(seed)`,
		]),
	];
	return `${lines.join("\n")}\n`;
}

function itemOf(index: number): string[] {
	const label = ["    def label(self, prefix: str) -> str:", "        return prefix + self.name"];
	if (index % 3 === 1)
		return [
			`class Base${index}:`,
			"    name: str",
			"    weight: int",
			"",
			"    def __init__(self, name: str, weight: int):",
			"        self.name = name",
			"        self.weight = weight",
			"",
			"",
			`class Item${index}(Base${index}):`,
			...label,
		];
	return [
		"@dataclass",
		`class Item${index}:`,
		"    name: str",
		"    weight: int",
		"    parts: list[str] = field(default_factory=list)",
		"",
		...label,
	];
}
