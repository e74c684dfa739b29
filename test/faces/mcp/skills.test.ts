import { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, test } from "vitest";
import { withWorkspace } from "../../support/workspace.ts";
import { modern, withModern } from "./modern.ts";

/** The extension `io.modelcontextprotocol/skills`. The official client compares each file with its entry. */

const newest = { versionNegotiation: { mode: { pin: modern } } } as const;

describe.each([
	["2025-11-25", {}],
	["2026-07-28", newest],
] as const)("a client of %s that has the extension", (revision, options) => {
	const withSkills = (args: readonly string[], body: (skills: SkillsClient) => Promise<void>) =>
		withWorkspace({}, async (ws) => {
			const client = new Client({ name: "test", version: "1" }, options);
			const use = async () => {
				expect(client.getNegotiatedProtocolVersion()).toBe(revision);
				await body(new SkillsClient(client));
			};
			await withModern(ws, args, use, client);
		});

	test("lists every skill, and reads each as it is listed, with calls of its tools", () =>
		withSkills([], async (skills) => {
			expect(skills.supported).toBe(true);
			const listed = await skills.list();
			expect(listed.skills).toHaveLength(26);
			for (const skill of listed.skills) {
				expect((await skills.get(skill.uri)).skill).toEqual(skill);
				expect(await skills.read(skill)).toMatchObject({ mimeType: "text/markdown", verified: true });
			}
			const rename = listed.skills.find(({ uri }) => uri === "skill://lsp-rename/SKILL.md");
			expect(rename?.frontmatter).toMatchObject({
				name: "lsp-rename",
				license: "MIT",
				metadata: { arguments: "FILE SYMBOL NEW_NAME" },
			});
			expect(rename && (await skills.read(rename)).body).toMatch(/lsp_rename|`lsp /);
			await expect(skills.get("skill://lsp-nothing/SKILL.md")).rejects.toThrow(/lsp-nothing/);
		}));

	test("gets no skill that writes if every tool reads", () =>
		withSkills(["--profile", "read"], async (skills) => {
			const uris = (await skills.list()).skills.map(({ uri }) => uri);
			expect(uris).toContain("skill://lsp-explore/SKILL.md");
			expect(uris).not.toContain("skill://lsp-rename/SKILL.md");
		}));
});
