import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorsOf, type Project, withProject } from "../diagnostics/project.ts";
import { met, notYet, until } from "../support/until.ts";
import type { Files } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const util = (body: string, name = "join") =>
	`package shop;\n\npublic final class Util {\n    public static String ${name}(String a, String b) {\n        return ${body};\n    }\n}\n`;

const files: Files = {
	".pi-lsp.json": '{ "graceMs": 20000 }',
	".project":
		'<?xml version="1.0"?><projectDescription><name>shop</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>',
	".classpath":
		'<?xml version="1.0"?><classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>',
	"src/shop/Util.java": util("a + b"),
	"src/shop/One.java": 'package shop;\n\nclass One {\n    String one = Util.join("a", "b");\n}\n',
};

/** jdtls after it has loaded the project and answered a search, for which it waits for its index. */
async function readyServer({ service, check }: Project) {
	await until(
		"the first proof",
		async () => {
			const { files: found } = await check(["src/shop/Util.java", "src/shop/One.java"]);
			const states = found.map(({ state }) => state);
			return states.every((state) => state === "fresh") ? met(true) : notYet(String(states));
		},
		{ timeoutMs: 120_000 },
	);
	const server = service.pool.servers().find(({ config }) => config.id === "jdtls");
	if (!server) throw new Error("jdtls is not there");
	await server.readiness.settled(120_000);
	await server.request("workspace/symbol", { query: "Util" });
	return server;
}

describe.skipIf(!isThere("jdtls") || !isThere("java"))("jdtls", () => {
	const own = { PATH: process.env.PATH, PI_LSP_TRUST: process.env.PI_LSP_TRUST };
	beforeAll(() => {
		process.env.PATH = withServers({ PATH: own.PATH ?? "" }).PATH;
		process.env.PI_LSP_TRUST = "1";
	});
	afterAll(() => {
		for (const [name, value] of Object.entries(own))
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
	});

	test(
		"ends the proofs of open documents by its answer once it has loaded, without a quiet time",
		{
			timeout: 300_000,
		},
		() =>
			withProject(files, async (project) => {
				const server = await readyServer(project);
				server.learnedMs = undefined;
				for (let round = 0; round < 4; round++) {
					const broken = await project.edit("src/shop/Util.java", util(`${round}`));
					expect(errorsOf(broken, { judged: true })).toEqual(["src/shop/Util.java 5:16 16777235 new"]);
					const renamed = await project.edit("src/shop/Util.java", util("a + b", "joined"));
					expect(errorsOf(renamed, { judged: true })).toEqual(["src/shop/One.java 4:23 67108964 new"]);
					expect(errorsOf(await project.edit("src/shop/Util.java", util("a + b")))).toEqual([]);
				}
				expect(server.learnedMs).toBeUndefined();
			}),
	);
});
