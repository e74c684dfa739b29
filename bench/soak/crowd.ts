import type { CheckReport } from "../../src/contract/check-report.ts";
import type { CheckEditResult } from "../../src/contract/protocol.ts";
import { CallError, type Caller } from "../../test/faults/caller.ts";
import type { FakeName, FakeServer, World } from "../../test/faults/world.ts";

/** A fake server that repeats the request in each hover, and registers watchers of its root as real servers do. */
export function echoServer(world: World, ...names: readonly FakeName[]): FakeServer[] {
	const watchers = [{ globPattern: "**/*.{go,json}" }];
	const registrations = [{ id: "files", method: "workspace/didChangeWatchedFiles", registerOptions: { watchers } }];
	return names.map((name) =>
		world.fake(name, {
			// A record of a hundred thousand requests would affect the measurement.
			record: "",
			on: [
				{ method: "textDocument/hover", do: [{ echo: true }] },
				{ method: "initialized", do: [{ ask: "client/registerCapability", params: { registrations } }] },
			],
		}),
	);
}

/** A file whose text contains its name and, for the fake server, a known number of errors. */
export interface OwnFile {
	readonly file: string;
	readonly text: string;
	readonly errors: number;
}

export function ownFile(file: string, index: number): OwnFile {
	const errors = index % 3;
	return {
		file,
		errors,
		text: `${`{ "${file}": ${index} }`.padEnd(100)}\n${"// WRONG\n".repeat(errors)}${"// right\n".repeat(20)}`,
	};
}

export class Tally {
	/** Milliseconds from the request to its answer, of the answered ones. */
	readonly ms: number[] = [];
	/** Not answered, or with an error. */
	lost = 0;
	/** Answered with the data of another question. */
	crossed = 0;
	/** The first failures. */
	readonly examples: string[] = [];

	get answered(): number {
		return this.ms.length;
	}

	/** Requests a hover; the answer must be about this place and this file. */
	hover(caller: Caller, { file, text }: OwnFile, column: number): Promise<void> {
		return this.#judge(caller.ask<{ text: string }>("hover", { file, line: 1, column }), (answer) =>
			answer.text === `1:${column} ${text}`.trim() ? undefined : `hover of ${file}:1:${column}: ${answer.text}`,
		);
	}

	/** Checks a file; the answer must be about this file, proven, with its own number of errors. */
	check(caller: Caller, own: OwnFile): Promise<void> {
		return this.#judge(caller.check(own.file), (report) => wrongReport(own, report));
	}

	/** Announces a baseline and checks the edit. */
	edit(caller: Caller, own: OwnFile, about: { readonly cwd: string; readonly session: string; readonly call: string }) {
		const params = { ...about, file: own.file };
		caller.write({ jsonrpc: "2.0", method: "baseline", params: { ...params, text: "// another WRONG\n" } });
		const { answer } = caller.send("check_edit", { ...params, scope: "affected", budget: 20_000 });
		return this.#judge(answer as Promise<CheckEditResult>, ({ report }) => wrongReport(own, report));
	}

	async #judge<T>(answer: Promise<T>, wrongIn: (answer: T) => string | undefined): Promise<void> {
		const began = performance.now();
		try {
			const wrong = wrongIn(await answer);
			this.ms.push(performance.now() - began);
			if (wrong === undefined) return;
			this.crossed++;
			this.#example(wrong);
		} catch (error) {
			this.lost++;
			this.#example(error instanceof CallError ? `${error.code}: ${error.message}` : (error as Error).message);
		}
	}

	#example(what: string): void {
		if (this.examples.length < 5) this.examples.push(what.slice(0, 200));
	}
}

/** An unproven file is no answer; one with another path or number of errors belongs to another question. */
function wrongReport({ file, errors }: OwnFile, { files: [own] }: CheckReport): string | undefined {
	if (own?.state !== "fresh") throw new Error(`${file} is not proven: ${own?.state} (${own?.reason})`);
	if (own.path === file && own.diagnostics.length === errors) return undefined;
	return `${file} has ${errors} errors: ${own.path}, ${own.diagnostics.length}`;
}
