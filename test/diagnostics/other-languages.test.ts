import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { FAKE_SERVER } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { errorsOf, withProject } from "./project.ts";

function server(id: string, match: readonly string[], script: Script): object {
	const args = [FAKE_SERVER, JSON.stringify(script)];
	return { id, match, command: process.execPath, args, rootMarkers: [], looseFiles: true, languageId: id };
}

test("an error is reported once, even if files of another language are edited before its file is proven again", () =>
	withProject({ "a.lua": "x = 1\n", "b.vhd": "x\n" }, async ({ ws, editAlone, late }) => {
		const goOn = join(ws.base, "go-on");
		const again = [3, 4, 5].map((nth) => ({
			...{ method: "textDocument/diagnostic", nth },
			do: [{ waitFor: goOn }, { default: true as const }],
		}));
		const directory = join(ws.base, "config/pi-lsp");
		mkdirSync(directory, { recursive: true });
		const servers = [server("fake-lua", ["lua"], { on: again }), server("fake-vhdl", ["vhd"], {})];
		writeFileSync(join(directory, "config.json"), JSON.stringify({ servers }));
		expect(errorsOf(await editAlone("a.lua", "x = WRONG\n"))).toEqual(["a.lua 1:5 wrong"]);
		for (const text of ["y\n", "x\n"]) expect(errorsOf(await editAlone("b.vhd", text))).toEqual([]);
		writeFileSync(goOn, "");
		expect((await late()).flatMap((report) => errorsOf(report))).toEqual([]);
	}));
