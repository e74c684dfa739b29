import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import type { Files, Workspace } from "../../support/workspace.ts";

export const GO: Files = { "go.mod": "module sample\n\ngo 1.22\n" };

/** The environment of a pi with a `go`, and with a gopls that is a script if one is given. */
export function withGopls(ws: Workspace, script?: string): Readonly<Record<string, string>> {
	const programs = { go: "exit 1", ...(script === undefined ? {} : { gopls: script }) };
	for (const [name, text] of Object.entries(programs)) {
		ws.write(`../bin/${name}`, `#!/bin/sh\n${text}\n`);
		chmodSync(ws.path(`../bin/${name}`), 0o755);
	}
	return { PATH: `${ws.path("../bin")}:${dirname(process.execPath)}:/usr/bin:/bin` };
}
