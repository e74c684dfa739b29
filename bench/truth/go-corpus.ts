import type { Files } from "../../test/support/workspace.ts";
import { Random } from "./random.ts";

const perPackage = 6;

/**
 * The packages of a generated Go module, by path: structs with methods, interfaces that they implement, functions that use
 * those of the same and of earlier packages. They import nothing of the standard library, which the judge would read too.
 */
export function makeGoPackages({ count, seed }: { readonly count: number; readonly seed: number }): Files {
	const random = new Random(seed);
	const files: Record<string, string> = { "go.mod": "module corpus\n\ngo 1.22\n" };
	for (let index = 0; index < count; index++) {
		const chosen = new Set<number>();
		const wanted = Math.min(index, 1 + random.below(3));
		while (chosen.size < wanted) chosen.add(Math.floor(random.next() ** 1.3 * index));
		files[`${packageOf(index)}/module${index}.go`] = goFile(index, [...chosen]);
	}
	return files;
}

function packageOf(index: number): string {
	return `part${Math.floor(index / perPackage)}`;
}

function goFile(index: number, used: readonly number[]): string {
	const own = packageOf(index);
	const imported = [...new Set(used.map(packageOf))].filter((name) => name !== own).sort();
	const name = (other: number, what: string) =>
		packageOf(other) === own ? `${what}${other}` : `${packageOf(other)}.${what}${other}`;
	const weight = ["seed", ...used.map((other) => `${name(other, "Make")}(seed).Weight`)].join(" + ");
	const lines = [
		`package ${own}`,
		"",
		...imported.map((each) => `import "corpus/${each}"`),
		"",
		`type Item${index} struct {`,
		"\tName   string",
		"\tWeight int",
		"}",
		"",
		`func (item Item${index}) Label(prefix string) string {`,
		"\treturn prefix + item.Name",
		"}",
		"",
		`type Labeled${index} interface {`,
		"\tLabel(prefix string) string",
		"}",
		"",
		`var Sample${index} Labeled${index} = Item${index}{}`,
		"",
		`func Make${index}(seed int) Item${index} {`,
		`\treturn Item${index}{Name: "item", Weight: ${weight}}`,
		"}",
		"",
		`var First${index} = Make${index}(1)`,
		...used.flatMap((other) => [
			"",
			`func Read${index}From${other}(seed int) string {`,
			`\titem := ${name(other, "Make")}(seed)`,
			"\tvar weight int = item.Weight",
			"\tif weight > 1 {",
			'\t\treturn item.Label("x")',
			"\t}",
			`\treturn ${name(other, "First")}.Name`,
			"}",
		]),
	];
	return `${lines.join("\n")}\n`;
}
