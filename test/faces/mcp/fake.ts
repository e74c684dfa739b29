import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { FAKE_SERVER } from "../../fakes/fake.ts";
import type { Entry, Script } from "../../fakes/script.ts";
import { met, notYet, until } from "../../support/until.ts";
import type { Workspace } from "../../support/workspace.ts";

/** A scripted server for `.fake` files, which a person names on a command line. */
export interface NamedFake {
	/** Its program with its arguments. */
	readonly command: readonly string[];
	/** agent-lsp's argument for it; its id is then `node`. */
	readonly pair: string;
	/** Resolves when its processes have been sent so many messages of that method. */
	received(method: string, times?: number): Promise<void>;
}

export function namedFake(ws: Workspace, script: Script, name = "fake"): NamedFake {
	const record = join(ws.base, `${name}.record`);
	const file = join(ws.base, `${name}.json`);
	writeFileSync(file, JSON.stringify({ record, ...script }));
	const command = [process.execPath, FAKE_SERVER, file];
	const entries = () =>
		existsSync(record)
			? readFileSync(record, "utf8")
					.split("\n")
					.filter(Boolean)
					.map((line) => JSON.parse(line) as Entry)
			: [];
	return {
		command,
		pair: `fake:${command.join(",")}`,
		received: (method, times = 1) =>
			until(
				`the server is sent ${method}`,
				() => {
					const methods = entries().flatMap(({ got }) => got?.method ?? []);
					const count = methods.filter((each) => each === method).length;
					return count >= times ? met(undefined) : notYet(methods.join(", "));
				},
				// The delay is shorter than the daemon's own time limit for a request.
				{ timeoutMs: 15_000 },
			),
	};
}
