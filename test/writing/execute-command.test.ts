import { expect, test } from "vitest";
import { withFakeServer } from "../query/fake-project.ts";

const trusted = (env: Readonly<Record<string, string>>) => ({ env: { ...env, PI_LSP_TRUST: "1" } });

function edit(start: number, newText: string) {
	return { range: { start: { line: 1, character: start }, end: { line: 1, character: start + 4 } }, newText };
}

/** A server with the command `go`, which asks for these edits before it answers. */
function asking(...edits: readonly unknown[]) {
	return {
		capabilities: { executeCommandProvider: { commands: ["go"] } },
		on: [
			{
				method: "workspace/executeCommand",
				do: [
					...edits.map((each) => ({ ask: "workspace/applyEdit", params: { edit: each } })),
					{ delay: 50 },
					{ reply: { done: true } },
				],
			},
		],
	};
}

test("the edits that a command requests are written with the diff, the check and the call that undoes them", () =>
	withFakeServer(
		(root) => asking({ changes: { [`file://${root}/a.zzz`]: [edit(0, "other")] } }),
		async ({ ws }) => {
			expect((await ws.cli(["execute_command", "a.zzz"])).stdout).toBe("fake: go\n");
			const { code, stdout } = await ws.cli(["execute_command", "a.zzz", "go", "1", "--json"], trusted(ws.env));
			const answer = JSON.parse(stdout);
			expect(answer).toMatchObject({ written: ["a.zzz"], undo: "u1", result: '{"done":true}' });
			expect(answer.diff).toContain("+other(name)");
			expect(code).toBe(0);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nother(name)\n");
			await ws.cli(["undo"]);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
		},
	));

test.each([
	["edits outside of the workspace", () => [{ changes: { "file:///etc/hostname": [edit(0, "x")] } }], "outside of"],
	["something that is no edit", () => [{ changes: [1] }], "could not be read"],
	[
		"one file twice",
		(uri: string) => [{ changes: { [uri]: [edit(0, "x")] } }, { changes: { [uri]: [edit(5, "x")] } }],
		"changes it twice",
	],
])("a command that requests %s is refused, and nothing is written", (_, edits, message) =>
	withFakeServer(
		(root) => asking(...edits(`file://${root}/a.zzz`)),
		async ({ ws }) => {
			const { code, stderr } = await ws.cli(["execute_command", "a.zzz", "go"], trusted(ws.env));
			expect(stderr).toContain(message);
			expect(code).toBe(2);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
		},
	),
);

test("a command is run only if it was announced and the repository is trusted", () =>
	withFakeServer(asking(), async ({ ws }) => {
		const untrusted = await ws.cli(["execute_command", "a.zzz", "go"]);
		expect(untrusted.stderr).toContain("LSP_SERVER_UNTRUSTED");
		expect(untrusted.code).toBe(2);
		const unknown = await ws.cli(["execute_command", "a.zzz", "stop"], trusted(ws.env));
		expect(unknown.stderr).toContain("fake has no command stop");
		expect(unknown.stderr).toContain("It has announced: go.");
		expect(unknown.code).toBe(2);
	}));

test("an edit that a server requests when no command runs is not written", () =>
	withFakeServer(
		(root) => ({
			on: [
				{
					method: "textDocument/hover",
					do: [
						{
							ask: "workspace/applyEdit",
							params: { edit: { changes: { [`file://${root}/a.zzz`]: [edit(0, "x")] } } },
						},
						{ default: true },
					],
				},
			],
		}),
		async ({ ws }) => {
			expect((await ws.cli(["hover", "a.zzz", "2:name"])).code).toBe(0);
			expect(ws.read("a.zzz")).toBe("/// WRONG\nname(name)\n");
		},
	));
