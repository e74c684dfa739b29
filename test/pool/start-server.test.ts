import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Pool } from "../../src/pool/pool.ts";
import { withFake } from "../fakes/fake.ts";

describe("starting a server", () => {
	test("A server of a tree that is not trusted is started without the variables that lead into it", () =>
		withFake({}, async (fake) => {
			const VIRTUAL_ENV = join(fake.root, "venv");
			mkdirSync(VIRTUAL_ENV);
			const caller = { workspace: fake.root, env: async () => ({ ...fake.env, VIRTUAL_ENV }) };
			const pool = new Pool(() => {});
			const environment = (trusted: boolean) =>
				pool.use({ ...fake.route, trusted }, caller, async ({ launch }) => launch.env);
			expect(await environment(false)).not.toHaveProperty("VIRTUAL_ENV");
			expect(await environment(true)).toHaveProperty("VIRTUAL_ENV", VIRTUAL_ENV);
			await pool.close();
		}));
});
