// node scripts/measure-source.mjs [FOLDER]: lines, words of comments, functions with more than four parameters and growing
// values at module level in src/ without the table src/servers/. With FOLDER each of its files too.
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript-5";

const root = new URL("../src/", import.meta.url).pathname;
const folder = process.argv[2]?.replace(/^src\/?/, "");
const files = readdirSync(root, { recursive: true })
	.filter((file) => file.endsWith(".ts") && !file.startsWith("servers/"))
	.filter((file) => folder === undefined || file.startsWith(folder));

const sum = { lines: 0, words: 0, functions: [], caches: [] };
for (const file of files) {
	const text = readFileSync(root + file, "utf8");
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const lines = text.split("\n").length - 1;
	const words = wordsOfComments(source, text);
	sum.lines += lines;
	sum.words += words;
	sum.functions.push(...longLists(source, file));
	sum.caches.push(...caches(source, file));
	if (folder !== undefined) console.log(`${String(lines).padStart(5)} ${String(words).padStart(6)} ${file}`);
}
console.log(`${sum.lines} lines, ${sum.words} words of comments`);
console.log([`${sum.functions.length} functions with more than four parameters`, ...sum.functions].join("\n  "));
console.log([`${sum.caches.length} values at module level that can grow`, ...sum.caches].join("\n  "));

function wordsOfComments(source, text) {
	const seen = new Set();
	let words = 0;
	const visit = (node) => {
		const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
		const behind = ts.getTrailingCommentRanges(text, node.end) ?? [];
		for (const { pos, end } of [...before, ...behind]) {
			if (seen.has(pos)) continue;
			seen.add(pos);
			words += text.slice(pos, end).match(/[A-Za-z][\w'’-]*/g)?.length ?? 0;
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return words;
}

function longLists(source, file) {
	const found = [];
	const visit = (node) => {
		if (ts.isFunctionLike(node) && node.parameters.length > 4)
			found.push(`${file} ${node.name?.getText() ?? "(without a name)"} ${node.parameters.length}`);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

function caches(source, file) {
	const grows = /^new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|^new (?:LruMap|LRUCache|StatCache|\w+Cache)\b/s;
	return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
		declarationList.declarations
			.filter(({ initializer }) => {
				const value = initializer?.getText() ?? "";
				return (declarationList.flags & ts.NodeFlags.Let) !== 0 || grows.test(value);
			})
			.map(({ name }) => `${file} ${name.getText()}`),
	);
}
