import { describe, expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { Surveys } from "../../src/routing/survey-languages.ts";
import { withTree } from "../config/tree.ts";

const plain: Omit<ServerConfig, "id" | "match"> = {
	command: "/no/such/program",
	args: [],
	rootMarkers: [],
	looseFiles: true,
	languageId: "plain",
};
const one: ServerConfig = { ...plain, id: "a", match: ["a"], languageId: "aye" };
const other: ServerConfig = { ...plain, id: "b", match: ["b"], languageId: "bee" };
const { signal } = new AbortController();

describe("a survey that is kept", () => {
	test("a server that the configuration adds is found at once", () =>
		withTree(["1.a", "2.b", "3.b"], async ({ base }) => {
			const surveys = new Surveys();
			const languages = async (servers: readonly ServerConfig[]) =>
				(await surveys.of(base, servers, signal)).languages.map(({ id }) => id);
			expect(await languages([one])).toEqual(["aye"]);
			expect(await languages([one, other])).toEqual(["bee", "aye"]);
		}));

	test("the tree is not walked again for the same configuration, unless it had no language", () =>
		withTree(["x.c"], async (tree) => {
			const surveys = new Surveys();
			const servers = [one];
			expect((await surveys.of(tree.base, servers, signal)).languages).toEqual([]);
			tree.write("1.a", "");
			const survey = await surveys.of(tree.base, servers, signal);
			expect(survey.languages).toMatchObject([{ id: "aye", files: 1 }]);
			tree.write("2.a", "");
			expect(await surveys.of(tree.base, servers, signal)).toBe(survey);
		}));
});
