import { expect, test } from "vitest";
import { schemaByUrl, tomlSchemas } from "../../src/launch/toml-schemas.ts";
import { withTree } from "../config/tree.ts";

const url = "https://x.example/a.json";

test("The schemas of a TOML text are those of its comments and of the nearest configuration of tombi", () =>
	withTree(["ws/sub/", "ws/.config/"], async (tree) => {
		const names = (text = "a = 1\n") => tomlSchemas(tree.path("ws/sub/a.toml"), text).map(({ name }) => name);
		expect(names()).toEqual([]);
		expect(names(`# x\n#:schema ${url}\na = "#:schema no"\n`)).toEqual([url]);
		tree.write("ws/pyproject.toml", `[project]\nname = "x"\n[project.urls]\nhome = "${url}"\n`);
		expect(names()).toEqual([]);
		tree.write("ws/pyproject.toml", '[[tool.tombi.schemas]]\npath = "python.json"\n');
		expect(names()).toEqual(["python.json"]);
		tree.write("ws/.config/tombi.toml", `[schema]\ncatalog = { paths = ["${url}"] }\n`);
		expect(names()).toEqual([url]);
		tree.write("ws/tombi.toml", 'schemas = [{ path = "outer.json" }, { path = 1 }, 2]\n');
		expect(names()).toEqual(["outer.json"]);
		tree.write("ws/sub/.tombi.toml", "");
		expect(names()).toEqual([]);
		tree.write("ws/sub/.tombi.toml", "a = \n");
		expect(names()).toEqual(["outer.json"]);
	}));

test("A relative schema is resolved against the text or the configuration that names it, and a URL against no file", () =>
	withTree(["ws/sub/"], async (tree) => {
		tree.write("ws/tombi.toml", `schemas = [{ path = "outer.json" }, { path = "${url}" }]\n`);
		const path = tree.path("ws/sub/a.toml");
		expect(tomlSchemas(path, "#:schema ./own.json\n").map(({ file }) => file)).toEqual([
			tree.path("ws/sub/own.json"),
			tree.path("ws/outer.json"),
			undefined,
		]);
		expect(tomlSchemas(path, "#:schema file:///x.json\n")[0]?.file).toBe("/x.json");
		expect(schemaByUrl(path, "#:schema HTTP://x/a\n")).toBe("HTTP://x/a");
	}));
