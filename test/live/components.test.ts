import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { withProject } from "../diagnostics/project.ts";
import { edit, edited } from "../faces/pi/calls.ts";
import { conversationText } from "../faces/pi/model-request.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { folder, isThere, withServers } from "./languages.ts";

interface Kind {
	readonly extension: string;
	readonly program: string;
	readonly packages: readonly string[];
	readonly card: string;
	readonly page: (props: string) => string;
	/** An edit of the card that makes another property required. */
	readonly required: readonly [string, string];
}

const kinds: readonly Kind[] = [
	{
		extension: "vue",
		program: "vue-language-server",
		packages: ["vue", "@vue"],
		card: '<script setup lang="ts">\ndefineProps<{ title: string }>();\n</script>\n<template>{{ title }}</template>\n',
		page: (props) =>
			`<script setup lang="ts">\nimport Card from "./Card.vue";\nimport { format } from "./money";\nconst t = format(1);\n</script>\n<template><Card ${props} />{{ t }}</template>\n`,
		required: ["{ title: string }", "{ title: string; size: number }"],
	},
	{
		extension: "svelte",
		program: "svelteserver",
		packages: ["svelte"],
		card: '<script lang="ts">\nexport let title: string;\n</script>\n<p>{title}</p>\n',
		page: (props) =>
			`<script lang="ts">\nimport Card from "./Card.svelte";\nimport { format } from "./money";\nconst t = format(1);\n</script>\n<Card ${props} />{t}\n`,
		required: ["export let title: string;", "export let title: string;\nexport let size: number;"],
	},
	{
		extension: "astro",
		program: "astro-ls",
		packages: [],
		card: "---\ninterface Props {\n\ttitle: string;\n}\nconst { title } = Astro.props;\n---\n<p>{title}</p>\n",
		page: (props) =>
			`---\nimport Card from "./Card.astro";\nimport { format } from "./money";\nconst t = format(1);\n---\n<Card ${props} />{t}\n`,
		required: ["title: string;", "title: string;\n\tsize: number;"],
	},
];

const tsconfig = JSON.stringify({
	compilerOptions: { strict: true, noEmit: true, module: "esnext", moduleResolution: "bundler", target: "esnext" },
	include: ["src"],
});

const DONE = { text: "Done." };

/** Packages that were installed once for all live tests. */
function linkPackages(ws: Workspace, packages: readonly string[]): void {
	mkdirSync(ws.path("node_modules"));
	for (const name of packages) symlinkSync(join(folder, "node_modules", name), ws.path("node_modules", name));
}

test.skipIf(!isThere("vue-language-server"))(
	"a script that uses a component has its errors reported after an edit of the component",
	{ timeout: 120_000 },
	() =>
		withWorkspace(
			{
				"package.json": JSON.stringify({ name: "shop", type: "module", dependencies: { vue: "*" } }),
				"tsconfig.json": tsconfig,
				"src/Card.vue": kinds[0]?.card ?? "",
				"src/Item.vue":
					'<script lang="ts">\nexport interface Item {\n\tid: number;\n}\n</script>\n<template>a</template>\n',
				"src/card.ts":
					'import { h } from "vue";\nimport Card from "./Card.vue";\nexport const card = () => h(Card, { title: "a" });\n',
				"src/item.ts": 'import type { Item } from "./Item.vue";\nexport const item: Item = { id: 1 };\n',
				"src/apart.ts": "export const apart = 1;\n",
				".pi-lsp.json": '{ "coldMs": 40000, "warmMs": 40000, "graceMs": 40000, "lateMs": 60000 }',
			},
			async (ws) => {
				linkPackages(ws, ["vue", "@vue"]);
				const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
				const steps = [
					{ calls: [edit("src/Item.vue", ["id: number", "id: string"])] },
					{ calls: [edit("src/Item.vue", ["id: string", "id: number"])] },
					{ calls: [edit("src/Card.vue", kinds[0]?.required ?? ["", ""])] },
					DONE,
				];
				const run = await runPi(ws, steps, { env, timeoutMs: 110_000 });
				expect(run.result(0)).toContain("It newly broke 1 other file: src/item.ts (1 error)");
				expect(run.result(1)).toBe(edited("src/Item.vue"));
				expect(run.result(2)).toContain("It newly broke 1 other file: src/card.ts (1 error)");
			},
		),
);

describe.each(kinds)(
	"in a project of $extension components",
	({ extension, program, packages, card, page, required }) => {
		const files: Files = {
			"package.json": JSON.stringify({ name: "shop", type: "module", dependencies: { [packages[0] ?? ""]: "*" } }),
			"tsconfig.json": tsconfig,
			"src/money.ts": "export function format(n: number): string {\n\treturn String(n);\n}\n",
			[`src/Card.${extension}`]: card,
			[`src/Page.${extension}`]: page('title="a"'),
			[`src/Other.${extension}`]: page('title="b"'),
			".pi-lsp.json": '{ "coldMs": 40000, "warmMs": 40000, "graceMs": 40000, "lateMs": 60000 }',
		};

		test.skipIf(!isThere(program))(
			"the components that use a changed export, or a component whose properties changed, are reported",
			{ timeout: 150_000 },
			() =>
				withWorkspace(files, async (ws) => {
					linkPackages(ws, packages);
					const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
					const steps = [
						{ calls: [edit("src/money.ts", ["n: number", "n: string"])] },
						DONE,
						{ calls: [edit("src/money.ts", ["n: string", "n: number"]), edit(`src/Card.${extension}`, required)] },
						{
							calls: [
								{ name: "bash", arguments: { command: "sed -i 's/function format/function formatted/' src/money.ts" } },
							],
						},
						DONE,
						DONE,
					];
					const run = await runPi(ws, steps, { env, timeoutMs: 140_000 });
					const conversation = run.requests.map((request) => conversationText(request)).at(-1) ?? "";
					const broken = `It newly broke 2 other files: src/Other.${extension} (1 error), src/Page.${extension} (1 error)`;
					expect(conversation.split(broken)).toHaveLength(3);
					const bySed = conversation.split("sed -i")[1];
					for (const name of ["Other", "Page"]) expect(bySed).toContain(`src/${name}.${extension}`);
					expect(conversation).not.toContain("there before");
					// The second edit of the script fixes the errors of the first one.
					expect(conversation.match(/It fixed[^\n]*/g)).toEqual(["It fixed 2 errors in 2 other files."]);
				}),
		);

		test.skipIf(!isThere(program))(
			"the components that an edit broke and fixed are reported again when a command breaks them in the same way",
			{ timeout: 150_000 },
			async () => {
				const { PATH, PI_LSP_TRUST } = process.env;
				Object.assign(process.env, { PATH: withServers({ PATH: PATH ?? "" }).PATH, PI_LSP_TRUST: "1" });
				try {
					await withProject(files, async ({ ws, edit: change, command }) => {
						linkPackages(ws, packages);
						const [whole = "", users] = [
							files["src/money.ts"],
							["Other", "Page"].map((name) => `src/${name}.${extension}`),
						];
						const broken = whole.replace("function format", "function formatted");
						const newlyBroken = (report: CheckReport) =>
							report.files
								.flatMap(({ path, diagnostics }) => (diagnostics.some((each) => each.new) ? path : []))
								.sort();
						expect(newlyBroken(await change("src/money.ts", broken))).toEqual(users);
						expect(newlyBroken(await change("src/money.ts", whole))).toEqual([]);
						expect(newlyBroken(await command({ "src/money.ts": broken }))).toEqual(users);
					});
				} finally {
					process.env.PATH = PATH;
					if (PI_LSP_TRUST === undefined) delete process.env.PI_LSP_TRUST;
					else process.env.PI_LSP_TRUST = PI_LSP_TRUST;
				}
			},
		);

		test.skipIf(!isThere(program))(
			"a preview of a script judges the components that use it, and does not change their later reports",
			{ timeout: 150_000 },
			() =>
				withWorkspace(files, async (ws) => {
					linkPackages(ws, packages);
					const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
					const users = ["Other", "Page"].map((name) => `src/${name}.${extension}`);
					const words = ["preview", "src/money.ts", "--old-text", "n: number", "--new-text", "n: string", "--json"];
					const { stdout } = await ws.cli(words, { env });
					const { files: judged, new: caused } = JSON.parse(stdout);
					expect(
						judged.flatMap((file: { path: string; role: string }) => (file.role === "affected" ? file.path : [])),
					).toEqual(users);
					expect(caused).toBe(2);
					const now = await ws.cli(["check", ...users, "--json"], { env });
					expect(JSON.parse(now.stdout).files).toMatchObject(
						users.map((path) => ({ path, state: "fresh", diagnostics: [] })),
					);
				}),
		);
	},
);
