import type { OutlineBuilder } from "./outline.ts";
import type { Line } from "./python-lines.ts";

/** Reads `import shop.cart as cart` and `from shop import Cart as C, Item`: what they bind, importers may take as well. */
export function readImport(
	builder: OutlineBuilder,
	{ from, end }: Line,
	prefix: string,
	owner: string | undefined,
	condition: string,
): void {
	const { tokens } = builder;
	const bind = (name: string, says: string, takes: ReadonlySet<string> | "any") =>
		builder.declare({
			path: `${prefix}${name}`,
			names: [owner ?? name],
			visible: [],
			context: condition + says,
			takes,
		});
	if (tokens.text(from) === "import") {
		builder.passesAll = true;
		for (const [first, last] of tokens.split(from + 1, end)) {
			const isNamed = tokens.text(last - 2) === "as";
			bind(tokens.text(isNamed ? last - 1 : first), `import ${tokens.textOf([[first, last]])}`, "any");
		}
		return;
	}
	const word = tokens.find(from, end, "import");
	const module = tokens.textOf([[from, word]]);
	// `from . import cart` may bind a module.
	if (/^from [. ]+$/.test(`${module} `)) builder.passesAll = true;
	const isList = tokens.text(word + 1) === "(";
	for (const [first, last] of isList
		? tokens.split(word + 2, tokens.after(word + 1) - 1)
		: tokens.split(word + 1, end)) {
		const name = tokens.text(first);
		if (name === "*") {
			builder.passesAll = true;
			builder.declare({ path: `* ${module}`, visible: [], context: `${condition}${module} import *`, takes: "any" });
		} else bind(tokens.text(last - 1), `${module} import ${name}`, new Set([name]));
	}
}
