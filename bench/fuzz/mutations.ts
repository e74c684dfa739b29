import type { Random } from "../truth/random.ts";

/** A change of a text, sensible or not, which returns the new content of the file. */
export type Mutation = (text: string, random: Random) => string | Buffer;

const wrongLine = "\nconst wrong: number = 'x'; export { wrong };\n";

/** Characters that tools treat differently: line ends, ends of texts, half surrogate pairs, invisible marks. */
const oddCharacters = [
	"\u{1F600}",
	"é",
	"e\u0301",
	"\u2028",
	"\u2029",
	"\u0085",
	"\f",
	"\r",
	"\u200b",
	"\ud800",
	"\0",
	"\ufeff",
	"“",
];

export const mutations: Readonly<Record<string, Mutation>> = {
	"token deleted": (text, random) => {
		const token = random.pick([...text.matchAll(/[A-Za-z_$][\w$]*|[^\s\w]/g)]);
		return token ? text.slice(0, token.index) + text.slice(token.index + token[0].length) : wrongLine;
	},
	"line twice": (text, random) => {
		const lines = text.split("\n");
		const at = random.below(lines.length);
		return [...lines.slice(0, at), lines[at], ...lines.slice(at)].join("\n");
	},
	"line deleted": (text, random) => {
		const lines = text.split("\n");
		lines.splice(random.below(lines.length), 1);
		return lines.join("\n");
	},
	"names swapped": (text, random) => {
		const names = [...text.matchAll(/\b[A-Za-z_$][\w$]{2,}\b/g)];
		const [a, b] = [random.pick(names), random.pick(names)].sort(
			(one, other) => (one?.index ?? 0) - (other?.index ?? 0),
		);
		if (!a || !b || a.index === b.index) return text + wrongLine;
		const [afterA, afterB] = [a.index + a[0].length, b.index + b[0].length];
		return text.slice(0, a.index) + b[0] + text.slice(afterA, b.index) + a[0] + text.slice(afterB);
	},
	"odd character": (text, random) => {
		const at = random.below(text.length + 1);
		return text.slice(0, at) + (random.pick(oddCharacters) ?? "") + text.slice(at);
	},
	"odd characters in comments, an error below": (text, random) => {
		const odd = () => random.pick(oddCharacters.filter((character) => character !== "\0")) ?? "";
		return `/* ${odd()} ${odd()} */ ${text}/* ${odd()} */${wrongLine}`;
	},
	truncated: (text, random) => text.slice(0, random.below(text.length + 1)),
	empty: () => "",
	binary: (_, random) => Buffer.from(Array.from({ length: 400 }, () => random.below(256))),
	"another type": (text, random) =>
		text.replace(/\b(number|string|boolean|void)\b/, (type) => {
			const others = ["number", "string", "boolean", "symbol"].filter((other) => other !== type);
			return random.pick(others) ?? type;
		}),
	"not exported": (text, random) => {
		const found = random.pick([...text.matchAll(/\bexport (?=(?:function|const|class|interface|type)\b)/g)]);
		return found ? text.slice(0, found.index) + text.slice(found.index + found[0].length) : text + wrongLine;
	},
	CRLF: (text) => `${text}${wrongLine}`.replaceAll("\n", "\r\n"),
	"lone carriage returns": (text) => `${text}${wrongLine}`.replaceAll("\n", "\r"),
	BOM: (text) => `\ufeff${text}${wrongLine}`,
};
