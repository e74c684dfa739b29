import { afterEach, expect, test, vi } from "vitest";
import { LanguageServer } from "../../src/lsp/server.ts";
import type { ImpactReport } from "../../src/operations/impact.ts";
import { withProject } from "../diagnostics/project.ts";
import { met, notYet, until } from "../support/until.ts";
import { TYPESCRIPT_PROJECT } from "../support/workspace.ts";
import { commitAll } from "./repository.ts";

afterEach(() => vi.restoreAllMocks());

/** The requests that reach servers from now on: method, file and position. */
function requests(): { readonly seen: string[]; readonly servers: Set<LanguageServer> } {
	const seen: string[] = [];
	const servers = new Set<LanguageServer>();
	const send = LanguageServer.prototype.request;
	vi.spyOn(LanguageServer.prototype, "request").mockImplementation(function (
		this: LanguageServer,
		method,
		params,
		...rest
	) {
		const { textDocument, position } = params as { textDocument?: { uri: string }; position?: { line: number } };
		servers.add(this);
		seen.push(`${method} ${textDocument?.uri.split("/").at(-1)} ${position?.line ?? ""}`);
		return send.call(this, method, params, ...rest) as never;
	});
	return { seen, servers };
}

const files = {
	"src/one.ts": "export function one(): number {\n\treturn 1;\n}\n",
	"src/two.ts": "export function two(): number {\n\treturn 2;\n}\n",
	"src/both.ts":
		'import { one } from "./one.ts";\nimport { two } from "./two.ts";\nexport function both() {\n\treturn one() + two();\n}\n',
	"src/end.ts": 'import { both } from "./both.ts";\nexport function end() {\n\treturn both();\n}\n',
};

function callers({ changed: [found] }: ImpactReport): string[] | undefined {
	return found?.callers.filter((each) => !each.import).map(({ file, symbol }) => `${file}: ${symbol}`);
}

test("a second query about a symbol requests only its references and opens no file, until the file of a user changes", () =>
	withProject(files, async ({ call, ws }) => {
		const ask = () => call<ImpactReport>("impact", { files: ["src/one.ts"], symbols: ["1:one"], depth: 1 });
		const { seen, servers } = requests();
		// Files that were written less than a moment ago are read again.
		await until("only references are asked for", async () => {
			seen.length = 0;
			expect(callers(await ask())).toEqual(["src/both.ts: both"]);
			const isOnlyReferences = seen.every((each) => each === "textDocument/references one.ts 0");
			return isOnlyReferences ? met(seen) : notYet(seen.join(", "));
		});
		expect(seen).toHaveLength(1);
		const [server] = servers;
		server?.documents.close(ws.path("src/both.ts"));
		expect(callers(await ask())).toEqual(["src/both.ts: both"]);
		expect(server?.documents.paths()).not.toContain(ws.path("src/both.ts"));
		ws.write("src/both.ts", files["src/both.ts"].replace("both()", "renamed()"));
		expect(callers(await ask())).toEqual(["src/both.ts: renamed"]);
	}));

test("a symbol that several changes reach is requested once", () =>
	withProject(files, async ({ call, ws }) => {
		commitAll(ws);
		for (const name of ["one", "two"] as const)
			ws.write(`src/${name}.ts`, files[`src/${name}.ts`].replace("()", "(added: number)"));
		const ask = () => call<ImpactReport>("impact", { changed: true });
		const { seen } = requests();
		const toBoth = () => seen.filter((each) => each === "textDocument/references both.ts 2").length;
		// An event of a file, which may come late, ends what is known of the project.
		await until("one request for the references of what both changes reach", async () => {
			seen.length = 0;
			const { changed } = await ask();
			expect(changed.map(({ symbol, reaches }) => [symbol, reaches.map(({ file }) => file)])).toEqual([
				["one", ["src/end.ts"]],
				["two", ["src/end.ts"]],
			]);
			return toBoth() === 1 ? met(undefined) : notYet(`${toBoth()} requests`);
		});
	}));

test("the files that include a file are requested once, and again after a changed tsconfig.json leaves the file out", () => {
	const config = (...include: readonly string[]) =>
		TYPESCRIPT_PROJECT["tsconfig.json"]?.replace('"src"', include.map((each) => `"${each}"`).join()) ?? "";
	const use = 'import { one } from "../src/one.ts";\nexport function use() {\n\treturn one();\n}\n';
	const given = { ...files, "tsconfig.json": config("src", "more"), "more/use.ts": use };
	return withProject(given, async ({ call, ws }) => {
		const ask = () => call<ImpactReport>("impact", { files: ["src/one.ts"], symbols: ["1:one"], depth: 1 });
		const users = ["more/use.ts: use", "src/both.ts: both"];
		const { seen, servers } = requests();
		const asked = () => seen.filter((each) => each.startsWith("custom/projectInfo use.ts")).length;
		const closed = async () => {
			for (const server of servers)
				for (const path of server.documents.paths()) if (path !== ws.path("src/one.ts")) server.documents.close(path);
			seen.length = 0;
			expect(callers(await ask())?.sort()).toEqual(users);
		};
		await closed();
		await until("the configuration of a closed file is known", async () => {
			await closed();
			return asked() === 0 ? met(undefined) : notYet(seen.join(", "));
		});
		ws.write("tsconfig.json", config("src"));
		await until("it is asked about again", async () => {
			await closed();
			return asked() > 0 ? met(undefined) : notYet(seen.join(", "));
		});
	});
});
