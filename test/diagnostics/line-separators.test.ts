import { describe, expect, test } from "vitest";
import { errorsOf, withProject } from "./project.ts";

const separators = [
	["U+2028", "\u2028"],
	["U+2029", "\u2029"],
] as const;

describe.each(["7.0.2", "5.9.3"])("TypeScript %s", (typescript) => {
	const files = {
		"package.json": JSON.stringify({ name: "sample", type: "module", devDependencies: { typescript } }),
	};

	test.each(separators)("sees the right text when %s was inserted into it and removed", (_, separator) => {
		const right = "/** doc one */\nexport const one = 1;\n/* two */\nexport const two = one;\n";
		return withProject({ ...files, "src/a.ts": right }, async ({ ws, check }) => {
			const steps = [right, right.replace("doc one", `doc${separator}one`), right];
			for (const text of steps) {
				ws.write("src/a.ts", text);
				const report = await check(["src/a.ts"]);
				expect(report.files[0]).toMatchObject({ state: "fresh", diagnostics: [] });
			}
		});
	});

	test.each(separators)("reports an error below %s on the line that an editor shows", (_, separator) =>
		withProject({ ...files, "src/a.ts": "" }, async ({ ws, check }) => {
			const wrong = (name: string) => `export const ${name}: number = "x";`;
			ws.write("src/a.ts", `/* ${separator} */ ${wrong("a")}\n\n${wrong("b")}\n`);
			expect(errorsOf(await check(["src/a.ts"]))).toEqual(["src/a.ts 1:22 2322", "src/a.ts 3:14 2322"]);
			// The open document changes, and an edit moves the second error.
			ws.write("src/a.ts", `/* ${separator} */ ${wrong("a")}\n\n\n${wrong("b")}\n`);
			expect(errorsOf(await check(["src/a.ts"]))).toEqual(["src/a.ts 1:22 2322", "src/a.ts 4:14 2322"]);
		}),
	);

	test("reports an error at the end of a file on its last line", () =>
		withProject({ ...files, "src/a.ts": "export function a() {\n\treturn 1;\n" }, async ({ ws, check }) => {
			expect(errorsOf(await check(["src/a.ts"]))).toEqual(["src/a.ts 3:1 1005"]);
			ws.write("src/a.ts", "export function a() {\n\treturn 1;");
			expect(errorsOf(await check(["src/a.ts"]))).toEqual(["src/a.ts 2:11 1005"]);
			ws.write("src/a.ts", "export function a() {\r\n\treturn 1;\r\n\r\n");
			expect(errorsOf(await check(["src/a.ts"]))).toEqual(["src/a.ts 4:1 1005"]);
		}));
});
