import type { DaemonClient } from "../../src/daemon/lifecycle/connect.ts";
import type { Project } from "./project.ts";
import type { Random } from "./random.ts";

const atPlaces = ["hover", "references", "explore", "definition"] as const;

/** Asks agents' usual questions at random names of random files, comments included; no answer may change a later check. */
export class Questions {
	readonly #daemon: DaemonClient;
	readonly #project: Project;
	readonly #random: Random;
	readonly #isSource: (path: string) => boolean;
	asked = 0;

	/** The questions have their own `random`, so that edits do not depend on them. */
	constructor(daemon: DaemonClient, project: Project, random: Random, isSource: (path: string) => boolean) {
		this.#daemon = daemon;
		this.#project = project;
		this.#random = random;
		this.#isSource = isSource;
	}

	async ask(): Promise<void> {
		const file = this.#random.pick(this.#project.files.filter(this.#isSource));
		if (file === undefined) return;
		const names = [...this.#project.text(file).matchAll(/\b[A-Za-z_]\w*/g)];
		const at = this.#random.pick(names)?.index ?? 0;
		const before = this.#project
			.text(file)
			.slice(0, at)
			.split(/\r\n|\n|\r/);
		const place = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
		const [operation, input] =
			this.#random.below(5) === 0
				? ["context", { file }]
				: [this.#random.pick(atPlaces) ?? "hover", { file, ...place }];
		this.asked++;
		await this.#daemon.call(operation, { cwd: this.#project.root, input }).catch(nothingThere);
	}
}

/** Many places have no symbol, and a server may have been killed. */
function nothingThere(error: unknown): void {
	if (!String((error as { code?: unknown }).code).startsWith("LSP_")) throw error;
}
