import { describe, expect, test } from "vitest";
import { errorsOf, type Project, withProject } from "../diagnostics/project.ts";
import { met, notYet, until } from "../support/until.ts";

const dependency = (text: string) => `export const dep: ${text};\n`;
const good = dependency("number = 1");
const bad = dependency('string = ""');
const user = 'import { dep } from "./dep.ts";\nexport const user: number = dep;\n';

function untilWatched({ service }: Project): Promise<void> {
	return until("the project is watched", () => {
		const states = service.servers().map(({ watch }) => watch?.state);
		return states.length > 0 && states.every((state) => state === "ready") ? met(undefined) : notYet(String(states));
	});
}

describe("a restarted server", () => {
	test("finds its root still watched, and is sent the changes made in between", () =>
		withProject({ "src/dep.ts": good, "src/user.ts": user }, async (project) => {
			const { service, ws } = project;
			let begun = 0;
			const { onBegin } = service.watches;
			service.watches.onBegin = (directory) => {
				begun++;
				onBegin?.(directory);
			};
			await project.check(["src/user.ts"]);
			await untilWatched(project);
			const first = begun;
			for (let round = 0; round < 12; round++) {
				// The server has exited by request, or by a crash, and the change comes before it is back, or while it starts.
				if (round % 2 === 0) await project.call("restart", {});
				else for (const server of service.pool.servers()) server.kill();
				const asked = round % 3 === 0 ? project.check(["src/user.ts"]).catch(() => {}) : undefined;
				const isBad = round % 4 < 2;
				ws.write("src/dep.ts", isBad ? bad : good);
				await asked;
				for (let question = 0; question < 2; question++)
					expect(errorsOf(await project.check(["src/user.ts"])), `round ${round}`).toEqual(
						isBad ? ["src/user.ts 2:14 2322"] : [],
					);
				await untilWatched(project);
			}
			expect(begun).toBe(first);
		}));

	test("answers an edit with all importers, also a new one", () =>
		withProject({ "src/dep.ts": good, "src/user.ts": user }, async (project) => {
			await project.check(["src/user.ts"]);
			await untilWatched(project);
			await project.edit("src/dep.ts", good);
			await project.call("restart", {});
			project.ws.write("src/late.ts", user.replace("user:", "late:"));
			expect(errorsOf(await project.edit("src/dep.ts", bad))).toEqual([
				"src/late.ts 2:14 2322",
				"src/user.ts 2:14 2322",
			]);
		}));
});
