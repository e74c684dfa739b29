import type { CheckReport } from "../../src/contract/check-report.ts";
import type { CheckEditResult } from "../../src/contract/protocol.ts";
import { type Caller, Told } from "../../test/faults/caller.ts";
import type { FakeName, FakeServer, World } from "../../test/faults/world.ts";

/** A fake server that tells in each hover what it was asked, and has the daemon watch its root as real ones do. */
export function echoServer(world: World, ...names: readonly FakeName[]): FakeServer[] {
	const watchers = [{ globPattern: "**/*.{go,json}" }];
	const registrations = [{ id: "files", method: "workspace/didChangeWatchedFiles", registerOptions: { watchers } }];
	return names.map((name) =>
		world.fake(name, {
			// A record of a hundred thousand requests would be what is measured.
			record: "",
			on: [
				{ method: "textDocument/hover", do: [{ echo: true }] },
				{ method: "initialized", do: [{ ask: "client/registerCapability", params: { registrations } }] },
			],
		}),
	);
}

/** A file of the crowd's own, as the fake server reads it: its name stands in it, and a known number of errors. */
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

/** What became of the requests of a crowd. */
export class Tally {
	/** Milliseconds from the request to its answer, of those that were answered. */
	readonly ms: number[] = [];
	/** Not answered at all, or with an error. */
	lost = 0;
	/** Answered with what belongs to another question. */
	crossed = 0;
	/** What went wrong first, in words. */
	readonly examples: string[] = [];

	get answered(): number {
		return this.ms.length;
	}

	/** Asks about a place of a file; the answer must be about that place and that file. */
	hover(caller: Caller, { file, text }: OwnFile, column: number): Promise<void> {
		return this.#judge(caller.ask<{ text: string }>("hover", { file, line: 1, column }), (answer) =>
			answer.text === `1:${column} ${text}`.trim() ? undefined : `hover of ${file}:1:${column}: ${answer.text}`,
		);
	}

	/** Checks a file; the answer must be of that file, proven, with its own number of errors. */
	check(caller: Caller, own: OwnFile): Promise<void> {
		return this.#judge(caller.check(own.file), (report) => wrongReport(own, report));
	}

	/** Tells what the file was before an edit, and asks what the edit did. */
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
			this.#example(error instanceof Told ? `${error.code}: ${error.message}` : (error as Error).message);
		}
	}

	#example(what: string): void {
		if (this.examples.length < 5) this.examples.push(what.slice(0, 200));
	}
}

/** What is not proven is no answer; what is proven of another file, or with other errors, is somebody else's. */
function wrongReport({ file, errors }: OwnFile, { files: [own] }: CheckReport): string | undefined {
	if (own?.state !== "fresh") throw new Error(`${file} is not proven: ${own?.state} (${own?.reason})`);
	if (own.path === file && own.diagnostics.length === errors) return undefined;
	return `${file} has ${errors} errors: ${own.path}, ${own.diagnostics.length}`;
}
