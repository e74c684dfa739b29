import { Recent } from "../util/recent.ts";

const expressions = new Recent<RegExp>(1000);

/** True if a name is `pattern`, in which `*` stands for any run of characters but a slash, `**` and a slash for any directories. */
export function fits(name: string, pattern: string): boolean {
	if (!pattern.includes("*")) return name === pattern;
	return expressionOf(pattern).test(name);
}

function expressionOf(pattern: string): RegExp {
	const known = expressions.get(pattern);
	if (known) return known;
	const source = pattern
		.split(/(\*\*\/|\*)/)
		.map((part) => (part === "**/" ? "(?:.*/)?" : part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")))
		.join("");
	const expression = new RegExp(`^${source}$`, "s");
	expressions.set(pattern, expression);
	return expression;
}
