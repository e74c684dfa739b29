import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url).pathname;
const files = ["src", "test", "bench", "scripts"].flatMap((folder) =>
	readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
		.filter((file) => /\.(?:ts|mjs)$/.test(file))
		.map((file) => `${folder}/${file}`),
);

const facts = Array.from(readFileSync(`${root}docs/facts.md`, "utf8").matchAll(/^\| (\d+) \|/gm), ([, no]) => no);

test("Each fact about a server or host has a number of its own", () => {
	expect(facts).toEqual([...new Set(facts)]);
});

test("Comments cite documents and facts that are in the repository", () => {
	const missing = files.flatMap((file) => {
		const comments = readFileSync(root + file, "utf8").match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? [];
		return comments.flatMap((comment) => [
			...Array.from(comment.matchAll(/[\w/-]+\.md\b/g), ([path]) => path)
				.filter((path) => !existsSync(root + path) && !existsSync(join(root, dirname(file), path)))
				.map((path) => `${file}: ${path}`),
			...Array.from(comment.matchAll(/docs\/facts\.md, (\d+)/g), ([, no]) => no)
				.filter((no) => !facts.includes(no))
				.map((no) => `${file}: fact ${no}`),
		]);
	});
	expect(missing).toEqual([]);
});

test("No regular expression takes time by the square of a text's blank lines", () => {
	const slow = files
		.filter((file) => file.startsWith("src/"))
		.flatMap((file) => {
			const found = readFileSync(root + file, "utf8").match(
				/\/(?:\\.|[^/\\\n])*(?<!\[)\^\\s[*+](?:\\.|[^/\\\n])*\/[gisuy]*m/g,
			);
			return (found ?? []).map((expression) => `${file}: ${expression}`);
		});
	expect(slow).toEqual([]);
});
