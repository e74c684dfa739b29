import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "../../util/hash.ts";
import { ownDirectory } from "../../util/xdg.ts";

const line =
	"pi-lsp: the daemon did not answer, so that errors of edits may not have been reported. `pi-lsp daemon status` says whether it runs.";

/** Some hosts report no end of a session. */
const keptMs = 7 * 24 * 3600 * 1000;

/**
 * Each event is a process: a file keeps a session whose edits the daemon missed, empty until the person has read the
 * line.
 */
export class Unreached {
	readonly #folder = join(ownDirectory("XDG_STATE_HOME"), "unreached");
	readonly #file: string;

	constructor(session: string) {
		this.#file = join(this.#folder, hashOf(session, 32));
	}

	note(): void {
		try {
			mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
			for (const name of readdirSync(this.#folder)) removeOld(join(this.#folder, name));
			writeFileSync(this.#file, "", { flag: "wx", mode: 0o600 });
		} catch {}
	}

	takeLine(): string | undefined {
		try {
			if (statSync(this.#file).size > 0) return undefined;
			writeFileSync(this.#file, "shown");
			return line;
		} catch {
			return undefined;
		}
	}

	forget(): void {
		try {
			rmSync(this.#file);
			rmdirSync(this.#folder);
		} catch {}
	}
}

function removeOld(file: string): void {
	if (statSync(file).mtimeMs < Date.now() - keptMs) rmSync(file);
}
