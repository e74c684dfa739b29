import { expect, test } from "vitest";
import { withProject } from "./project.ts";

test("components that import an edited script are counted as not proven if its server does not answer for them", () =>
	withProject(
		{
			"src/money.ts": "export function format(n: number): string {\n\treturn String(n);\n}\n",
			"src/user.ts": 'import { format } from "./money.ts";\nexport const one = format(1);\n',
			"src/Price.vue": '<script setup lang="ts">\nimport { format } from "./money.ts";\nformat(1);\n</script>\n',
		},
		async ({ ws, edit }) => {
			const text = ws.read("src/money.ts");
			await edit("src/money.ts", `${text}// \n`);
			const report = await edit("src/money.ts", text.replace("n: number", "n: string"));
			expect(report.files.flatMap(({ path, diagnostics }) => diagnostics.map(() => path))).toEqual(["src/user.ts"]);
			expect(report.omitted.files).toBe(1);
		},
	));
