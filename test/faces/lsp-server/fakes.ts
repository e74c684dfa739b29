import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { FAKE_SERVER } from "../../fakes/fake.ts";
import type { Entry, Script } from "../../fakes/script.ts";
import type { Workspace } from "../../support/workspace.ts";

interface FakeServer {
	readonly role?: "language" | "linter";
	readonly script: Script;
}

/** The person's own configuration names fake servers for `*.zzz`, by id. */
export function configureFakes(
	ws: Workspace,
	fakes: Readonly<Record<string, FakeServer>>,
	settings: object = {},
): void {
	const servers = Object.entries(fakes).map(([id, { role = "language", script }]) => {
		const file = join(ws.base, `${id}.json`);
		writeFileSync(file, JSON.stringify({ record: recordOf(ws, id), ...script }));
		const command = { command: process.execPath, args: [FAKE_SERVER, file] };
		return [id, { match: ["zzz"], ...command, languageId: "zzz", looseFiles: true, role }];
	});
	const config = join(String(ws.env.XDG_CONFIG_HOME), "pi-lsp/config.json");
	mkdirSync(dirname(config), { recursive: true });
	writeFileSync(config, JSON.stringify({ ...settings, servers: Object.fromEntries(servers) }));
}

/** The messages with this method that a fake server got. */
export function askedOf(ws: Workspace, id: string, method: string): NonNullable<Entry["got"]>[] {
	const file = recordOf(ws, id);
	if (!existsSync(file)) return [];
	const entries = readFileSync(file, "utf8").split("\n").filter(Boolean);
	return entries.flatMap((line) => {
		const { got } = JSON.parse(line) as Entry;
		return got?.method === method ? [got] : [];
	});
}

function recordOf(ws: Workspace, id: string): string {
	return join(ws.base, `${id}.record`);
}
