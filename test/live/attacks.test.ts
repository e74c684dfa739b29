import { describe, expect, test } from "vitest";
import { byCommandLine, faces, withAttack } from "./attack-scene.ts";
import { attacks } from "./attacks.ts";
import { isThere } from "./languages.ts";

const ways = Object.entries(faces);

// `npm run attacks -- --all` runs each of them on every face.
for (const [index, attack] of attacks.entries()) {
	const missing = attack.needs.find((program) => !isThere(program));
	describe(missing === undefined ? attack.title : `${attack.title} (${missing} is not installed)`, () => {
		const [face, ask] = ways[index % ways.length] as (typeof ways)[number];
		test.skipIf(missing)(
			`runs nothing, writes nothing and opens no connection through ${face}`,
			{ timeout: 120_000 },
			() =>
				withAttack(attack, "off", async (scene) => {
					expect(await ask(attack, scene)).not.toBe("");
					await scene.ws.cli(["stop"]);
					expect(scene.harm()).toEqual([]);
				}),
		);

		test.skipIf(missing || !attack.heedsTrust)(
			"has its effect once the repository is trusted, so the tests above can fail",
			() =>
				withAttack(attack, "off", async (scene) => {
					await byCommandLine()(attack, { ws: scene.ws, env: { ...scene.env, PI_LSP_TRUST: "1" } });
					await scene.ws.cli(["stop"]);
					expect(scene.harm()).not.toEqual([]);
				}),
		);
	});
}
