import { expect, test } from "vitest";
import { schemasInSettings, withSchemaUris } from "../../src/launch/schema-settings.ts";

test("settings of YAML's and JSON's servers name schemas and the files that these apply to", () => {
	const settings = {
		yaml: {
			schemas: {
				"schemas/app.json#/x": "conf/*.yaml",
				"file:///p/b.json": ["b.yaml", 3],
				"https://host/c.json": "c.yaml",
				kubernetes: "/k.yaml",
			},
		},
		json: { schemas: [{ url: "file:///p/d.json", fileMatch: ["d.json"] }, { fileMatch: ["e.json"] }, null] },
	};
	expect(schemasInSettings(settings, "/p")).toEqual([
		{ file: "/p/schemas/app.json", patterns: ["conf/*.yaml"] },
		{ file: "/p/b.json", patterns: ["b.yaml"] },
		{ file: "/p/kubernetes", patterns: ["/k.yaml"] },
		{ file: "/p/d.json", patterns: ["d.json"] },
	]);
	expect(schemasInSettings({ yaml: { schemas: null }, json: 1 }, "/p")).toEqual([]);
});

test("JSON's server is given URIs for the paths of schemas", () => {
	const settings = {
		json: { validate: {}, schemas: [{ url: "./a b.json", fileMatch: ["a"] }, { url: "https://h/c" }, 1] },
	};
	expect(withSchemaUris(settings, "/p")).toEqual({
		json: { validate: {}, schemas: [{ url: "file:///p/a%20b.json", fileMatch: ["a"] }, { url: "https://h/c" }, 1] },
	});
});
