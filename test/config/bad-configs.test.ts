import { expect, test } from "vitest";
import { servers } from "../../server.ts";
import { readSettings } from "../../src/config/read-settings.ts";
import { type Field, type Fields, serverFields, settingFields } from "../../src/config/schema.ts";
import { withTree } from "./tree.ts";

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

/** Values that are valid only for fields of any type. */
const wrongForAll = [null, -1, 0, [[]], [{}], { "": 1 }];
/** Values that are wrong, by the expected type of a field. */
const wrongFor: Readonly<Record<string, readonly unknown[]>> = {
	"true or false": ["true", 1, {}, []],
	"a text": [true, 5, [], {}],
	"a list of texts": ["x", { a: "b" }, ["a", 7], [true]],
	"an object of texts": ["x", ["a"], { a: 7 }, { a: ["b"] }],
	"an object": ["x", 7, ["a"]],
	"true, false or an object": ["on", 1, []],
	"a program, or a list of it and its arguments": ["", [], [""], 7, { run: "x" }, ["x", 7]],
	"a text, or an object of texts": [true, 7, ["ts"], { ts: 1 }],
	"a list of programs": ["x", ["x"], [{}], [{ command: "" }], [{ command: "x", args: "y" }]],
	"a number above 0": ["5", true, 1e12, {}],
	"an object by id, or a list": ["gopls", true, 5],
};

interface Bad {
	readonly text: string;
	/** The line of the mistake, and how the message names its field. */
	readonly line: number;
	readonly field: string;
	/** False if nothing of the file can be read. */
	readonly restHolds: boolean;
}

function badConfig(random: (below: number) => number): Bad {
	const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
	const wrongValue = ({ expected = "" }: Field) => {
		const wrong = expected.startsWith("one of ") ? ["none of them", 3, true] : (wrongFor[expected] as unknown[]);
		return pick([...wrong, ...wrongForAll]);
	};
	const lines = (mistake: readonly string[]) => {
		const before = Array.from({ length: random(5) }, () => pick(["", "\t// A comment.", "\t/* another */"]));
		const around = random(2) ? ['\t"$schema": "schema.json",'] : [];
		const text = ["{", ...around, ...before, ...mistake, '\t"warmMs": 7', "}"].join("\n");
		return { text, line: 2 + around.length + before.length };
	};
	const about = (fields: Fields) =>
		pick(
			Object.entries(fields).filter(
				([name, { expected }]) => expected !== undefined && !["warmMs", "$schema", "id"].includes(name),
			),
		);
	switch (random(6)) {
		case 0: {
			const [name, field] = about(settingFields);
			const value = JSON.stringify(field.user ? pick(["x", 1, [], null]) : wrongValue(field));
			return { ...lines([`\t${JSON.stringify(name)}: ${value},`]), field: name, restHolds: true };
		}
		case 1: {
			const [name, field] = about(serverFields);
			const id = pick(["gopls", "typescript", "mine"]);
			const extra = id === "mine" ? '"command": "x", "match": ["mine"], ' : "";
			const own = id === "mine" && ["command", "match"].includes(name) ? "" : extra;
			const found = lines([
				'\t"servers": {',
				`\t\t"${id}": { ${own}`,
				`\t\t\t"${name}": ${JSON.stringify(wrongValue(field))} } },`,
			]);
			return { ...found, line: found.line + 2, field: `servers.${id}.${name}`, restHolds: true };
		}
		case 2: {
			const name = pick(["serverz", "Mode", "warmms", "__proto__", "constructor", "toString", "sevérité", "a b"]);
			const shown = name.replace(/[^\x20-\x7e\u00a1-\u1fff]/g, "?");
			return { ...lines([`\t${JSON.stringify(name)}: ${pick(["1", "{}", "true"])},`]), field: shown, restHolds: true };
		}
		case 3: {
			const item = pick([
				'"gopls"',
				'":x"',
				"5",
				"null",
				"[]",
				"{}",
				'{ "id": 5 }',
				'{ "id": "a b", "command": "x" }',
				'{ "id": "new" }',
			]);
			const found = lines(['\t"servers": [', '\t\t"go:gopls",', `\t\t${item}`, "\t],"]);
			return { ...found, line: found.line + 2, field: "servers[1]", restHolds: true };
		}
		case 4: {
			const found = lines([`\t"mode": "edit",`, `\t"mode": "turn",`]);
			return { ...found, line: found.line + 1, field: "mode", restHolds: true };
		}
		default: {
			const found = lines([
				`\t"severity": ${pick(["warning", '"warning', "'warning'", '"\\x"', "{", "1 2", "tru", "[1,,2]"])},`,
			]);
			return { ...found, field: "", restHolds: false };
		}
	}
}

test("each of 200 wrong configurations is reported with its file, line and field, and the built-in servers stay", () =>
	withTree(["ws/", "config/"], async (tree) => {
		const random = seeded(20_261_122);
		const seen = new Set<string>();
		for (let round = 0; round < 200; round++) {
			const { text, line, field, restHolds } = badConfig(random);
			seen.add(text);
			const path = tree.write(`ws/${round}/.pi-lsp.json`, text);
			const found = await readSettings(tree.path(`ws/${round}`), { env: { XDG_CONFIG_HOME: tree.path("config") } });
			const [problem = "", ...more] = found.problems;
			const context = `${text}\n${found.problems.join("\n")}`;
			const where = restHolds ? `${path}:${line}: "${field}` : `${path}:`;
			expect(problem.slice(0, where.length), context).toBe(where);
			if (!restHolds) expect(Number(problem.slice(where.length).split(":")[0]), context).toBeGreaterThanOrEqual(line);
			expect(problem.slice(where.length), context).toMatch(/ \S.* \S/);
			expect(problem, context).not.toMatch(/[\n\r]/);
			expect(more.length, context).toBeLessThanOrEqual(1);
			expect(found.warmMs, context).toBe(restHolds ? 7 : 3000);
			expect(found.enabled, context).toBe(true);
			const named = /"(gopls|typescript)": \{/.exec(text)?.[1];
			for (const [index, server] of servers.entries()) {
				if (server.id === named) expect(found.servers[index]?.command, context).toBe(server.command);
				else expect(found.servers[index], context).toEqual(server);
			}
		}
		expect(seen.size).toBeGreaterThan(150);
	}));
