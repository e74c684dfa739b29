import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "./client.ts";
import { withModern } from "./modern.ts";

const project: Files = {
	...TYPESCRIPT_PROJECT,
	".pi-lsp.json": '{ "warmMs": 50000, "coldMs": 50000 }',
	"src/greet.ts": "/** Says hello. */\nexport function greet(name: string): string {\n\treturn name;\n}\n",
	"src/app.ts": 'import { greet } from "./greet.ts";\n\nconst loud: number = greet("you");\nconsole.log(loud);\n',
};

/** The methods that both generations of the official client have. */
interface Reader {
	listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
	listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>;
	readResource(params: { uri: string }): Promise<{ readonly contents: readonly object[] }>;
	listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
	getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{
		readonly messages: readonly { readonly content: object }[];
	}>;
	complete(params: {
		ref: { type: "ref/resource"; uri: string };
		argument: { name: string; value: string };
		context?: { arguments: Record<string, string> };
	}): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
}

const clients: readonly [string, (ws: Workspace, body: (client: Reader) => Promise<void>) => Promise<void>][] = [
	["2026-07-28", (ws, body) => withModern(ws, [], (client) => body(client))],
	["2025-11-25", (ws, body) => withMcp(ws, {}, ({ client }) => body(client))],
];

async function read(client: Reader, uri: string): Promise<ReturnType<typeof JSON.parse>> {
	const { contents } = await client.readResource({ uri });
	expect(contents).toEqual([{ uri, mimeType: "application/json", text: expect.any(String) }]);
	return JSON.parse((contents[0] as { text: string }).text);
}

describe.each(clients)("for a client of %s", (_, withClient) => {
	test("every resource that is listed can be read, and each template with its arguments", () =>
		withWorkspace(project, (ws) =>
			withClient(ws, async (client) => {
				const greet = join(ws.root, "src/greet.ts");
				const read1 = (uri: string) => read(client, uri);
				const app = await read1("lsp-diagnostics:///src/app.ts");
				expect(app.files).toMatchObject([{ path: "src/app.ts", state: "fresh", diagnostics: [{ code: "2322" }] }]);
				// agent-lsp writes these URIs with an absolute path.
				expect(await read1(`lsp-diagnostics://${greet}`)).toMatchObject({
					files: [{ state: "fresh", diagnostics: [] }],
				});
				const hover = await read1(`lsp-hover://${greet}?line=2&column=17&language_id=typescript`);
				expect(hover.text).toContain("function greet(name: string): string");
				expect((await read1("lsp-hover:///src/app.ts?symbol=greet")).text).toContain("Says hello.");
				const completions = await read1("lsp-completions:///src/app.ts?line=4&column=9&language_id=typescript");
				expect(completions.items.map(({ label }: { label: string }) => label)).toContain("log");
				expect(await read1("lsp-symbols:///src/greet.ts")).toMatchObject({ symbols: [{ name: "greet" }] });
				const { resources } = await client.listResources();
				expect(resources.map(({ uri }) => uri)).toEqual(["lsp-diagnostics:///", "lsp-status:///"]);
				const [open, status] = [await read1("lsp-diagnostics:///"), await read1("lsp-status:///")];
				expect(open.files.map(({ path }: { path: string }) => path)).toContain("src/app.ts");
				expect(status.servers).toMatchObject([{ id: "typescript", state: "active" }]);
				const templates = (await client.listResourceTemplates()).resourceTemplates;
				expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
					"lsp-diagnostics:///{path}",
					"lsp-hover:///{path}?line={line}&column={column}&language_id={language_id}",
					"lsp-hover:///{path}?symbol={symbol}",
					"lsp-completions:///{path}?line={line}&column={column}&language_id={language_id}",
					"lsp-completions:///{path}?symbol={symbol}",
					"lsp-symbols:///{path}",
				]);
			}),
		));

	test("a URI that leads nowhere, or out of the workspace, is refused by a sentence", () =>
		withWorkspace(project, async (ws) => {
			ws.write("../secret.ts", "export const secret = 1;\n");
			await withClient(ws, async (client) => {
				const refused: readonly [string, RegExp][] = [
					["lsp-nothing:///src/app.ts", /Resource/],
					["lsp-diagnostics:///%zz", /Resource/],
					[pathToFileURL(join(ws.root, "src/app.ts")).href, /Resource/],
					["lsp-diagnostics:///src/none.ts", /LSP_FILE_NOT_FOUND/],
					["lsp-diagnostics:///../secret.ts", /LSP_OUTSIDE_WORKSPACE/],
					["lsp-symbols:///", /path is missing/],
					["lsp-hover:///src/app.ts?line=0&column=1", /line is a whole number of at least 1/],
					["lsp-hover:///src/app.ts?line=1", /column is a whole number/],
				];
				for (const [uri, words] of refused) await expect(client.readResource({ uri }), uri).rejects.toThrow(words);
				// The error does not reveal whether the file exists.
				const messages: string[] = [];
				for (const path of ["/etc/passwd", "/etc/no-such-file"])
					await client
						.readResource({ uri: `lsp-symbols://${path}` })
						.catch((error: Error) => messages.push(error.message));
				const [there, absent] = messages.map((message) => message.replaceAll(/passwd|no-such-file/g, "FILE"));
				expect(there).toBe(absent);
			});
		}));

	test("paths and symbols are completed, and prompts are filled with their arguments", () =>
		withWorkspace(project, (ws) =>
			withClient(ws, async (client) => {
				const ref = { type: "ref/resource", uri: "lsp-hover:///{path}?symbol={symbol}" } as const;
				const values = async (name: string, value: string, path?: string) => {
					const context = path === undefined ? {} : { context: { arguments: { path } } };
					return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values;
				};
				expect(await values("path", "s")).toEqual(["src/"]);
				expect(await values("path", "src/")).toEqual(["src/app.ts", "src/greet.ts"]);
				expect(await values("path", "../")).toEqual([]);
				expect(await values("symbol", "gr", "src/greet.ts")).toEqual(["greet"]);
				expect(await values("symbol", "gr", "src/none.ts")).toEqual([]);
				expect(await values("line", "1")).toEqual([]);
				const { prompts } = await client.listPrompts();
				expect(prompts.length).toBe(26);
				expect(prompts.find(({ name }) => name === "lsp-rename")).toMatchObject({
					title: "Rename",
					description: "Rename a symbol in every file, or in none, through the language server",
					arguments: [{ name: "file" }, { name: "symbol" }, { name: "new_name" }],
				});
				const given = { file: "src/greet.ts", symbol: "greet", new_name: "welcome" };
				const { messages } = await client.getPrompt({ name: "lsp-rename", arguments: given });
				expect(messages).toEqual([{ role: "user", content: { type: "text", text: expect.any(String) } }]);
				expect(JSON.parse(JSON.stringify(messages))[0].content.text).toContain(
					'`lsp_rename {"file":"src/greet.ts","symbol":"greet","new_name":"welcome","dry_run":true}`',
				);
				const bare = await client.getPrompt({ name: "lsp-rename" });
				expect(JSON.stringify(bare.messages)).toContain("NEW_NAME");
				await expect(client.getPrompt({ name: "nothing" })).rejects.toThrow(/no prompt "nothing"/);
			}),
		));

	test("nothing is listed if pi-lsp is switched off", () =>
		withWorkspace({ ...project, ".pi-lsp.json": '{ "lsp": false }' }, (ws) =>
			withClient(ws, async (client) => {
				expect((await client.listResources()).resources).toEqual([]);
				expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
				expect((await client.listPrompts()).prompts).toEqual([]);
				await expect(client.readResource({ uri: "lsp-status:///" })).rejects.toThrow(/LSP_DISABLED/);
			}),
		));
});
