import { describe, expect, test } from "vitest";
import { type ModelRequest, toolResult } from "../faces/pi/model-request.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import type { ScriptedTurn } from "../faces/pi/scripted-model.ts";
import { argumentsOf, PlayedSkill, plays, toolArguments, withPlay } from "./skill-plays.ts";

/** More than the calls of any skill. */
const maxTurns = 20;

describe("a skill that a model in pi follows from the text that pi shows, call by call:", () => {
	test.each(Object.entries(plays))("%s reaches its goal, and no call of it is refused", (name, play) =>
		withPlay(play, async (ws, env) => {
			const played = new PlayedSkill(name, play, ws);
			let calls: ReturnType<PlayedSkill["calls"]> | undefined;
			let isDone = false;
			const nextCall = (request: ModelRequest) => {
				if (calls) return calls.next({ text: toolResult(request) });
				calls = played.calls(request.messages.map(({ text }) => text).join("\n"));
				return calls.next();
			};
			const step = (request: ModelRequest): ScriptedTurn => {
				const next = isDone ? undefined : nextCall(request);
				isDone ||= next?.done === true;
				if (!next || next.done) return { text: "Done." };
				return { calls: [{ name: next.value.tool, arguments: toolArguments(next.value) }] };
			};
			const values = (await argumentsOf(name, play)).map(([, value]) => value);
			await runPi(
				ws,
				Array.from({ length: maxTurns }, () => step),
				{
					prompt: `/skill:${name} ${values.join(" ")}`,
					env,
					spareSteps: maxTurns,
				},
			);
			expect(isDone).toBe(true);
			played.expectPromised();
		}),
	);
});
