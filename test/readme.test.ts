import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { servers } from "../server.ts";
import { operations } from "../src/operations/index.ts";
import { REPOSITORY } from "./support/repository.ts";

const readme = readFileSync(join(REPOSITORY, "README.md"), "utf8");

function table(name: string): string[] {
	const block = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- end ${name} -->`).exec(readme)?.[1] ?? "";
	return block.trimEnd().split("\n").slice(2);
}

test("the README lists every operation as it is declared", () => {
	const rows = operations.map(({ name, title, positional = [], core }) => {
		const words = positional.map((word) => word.toUpperCase()).join(" ");
		return `| \`${[name, words].join(" ").trim()}\` | ${title} | ${core ? `\`lsp_${name}\`` : ""} |`;
	});
	expect(table("operations")).toEqual(rows);
});

test("the README lists every server as it is declared", () => {
	const rows = servers.map(
		({ id, match, strategy }) =>
			`| ${id} | ${match.slice(0, 4).join(", ")}${match.length > 4 ? ", …" : ""} | ${strategy} |`,
	);
	expect(table("servers")).toEqual(rows);
});
