import { describe, expect, test } from "vitest";
import { allSkills } from "../../src/faces/skills/skill.ts";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { argumentsOf, PlayedSkill, plays, toolArguments, withPlay } from "./skill-plays.ts";

describe("a skill that a client over MCP follows from its prompt, call by call:", () => {
	test.each(Object.entries(plays))("%s reaches its goal, and no call of it is refused", (name, play) =>
		withPlay(play, (ws, env) =>
			withMcp(ws, { env: { ...ws.env, ...env } }, async ({ client, call }) => {
				const args = Object.fromEntries(
					(await argumentsOf(name, play)).map(([word, value]) => [word.toLowerCase(), value]),
				);
				const { messages } = await client.getPrompt({ name, arguments: args });
				const text = messages.map(({ content }) => (content.type === "text" ? content.text : "")).join("\n");
				const played = new PlayedSkill(name, play, ws);
				const calls = played.calls(text);
				for (let next = calls.next(); !next.done; ) {
					const result = await call(next.value.tool, toolArguments(next.value));
					next = calls.next({ text: textOf(result), isError: result.isError ?? false });
				}
				played.expectPromised();
			}),
		),
	);

	test("every skill is followed in these tests", async () => {
		expect(Object.keys(plays).sort()).toEqual((await allSkills()).map(({ name }) => name));
	});
});
