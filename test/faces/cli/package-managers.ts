import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workspace } from "../../support/workspace.ts";

/** Writes an executable shell script. */
export function program(file: string, script: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `#!/bin/sh\n${script}\n`);
	chmodSync(file, 0o755);
}

/** The folder of all installed servers, or of the one with this name. */
export const folder = (ws: Workspace, name = "") => join(ws.base, "data/pi-lsp/servers", name);
