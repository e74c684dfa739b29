import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { Change } from "../../src/watch/batch.ts";
import { tickMs } from "../../src/watch/directory-node.ts";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { type TreeOptions, TreeWatcher } from "../../src/watch/tree-watcher.ts";
import { met, notYet, until } from "../support/until.ts";

/** A directory of a test, removed at its end. */
export interface Scratch {
	readonly root: string;
	path(file: string): string;
	write(file: string, text?: string): void;
	remove(file: string): void;
}

export async function withScratch<T>(files: readonly string[], body: (scratch: Scratch) => Promise<T>): Promise<T> {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-lsp-watch-test-")));
	const scratch: Scratch = {
		root,
		path: (file) => join(root, file),
		write(file, text = "") {
			mkdirSync(dirname(join(root, file)), { recursive: true });
			writeFileSync(join(root, file), text);
		},
		remove: (file) => rmSync(join(root, file), { recursive: true }),
	};
	try {
		for (const file of files) scratch.write(file);
		return await body(scratch);
	} finally {
		rmSync(root, { recursive: true, force: true, maxRetries: 3 });
	}
}

/** A tree that is ready, with everything that it reports. */
export interface Watched {
	readonly tree: TreeWatcher;
	/** Settles, and gives what was reported since the last time, in order, each once, as `kind path`. */
	news(): Promise<string[]>;
}

/** Watches a scratch directory; what is in it by then counts as known. */
export async function withTree<T>(
	{ root }: Scratch,
	body: (watched: Watched) => Promise<T>,
	options: Partial<TreeOptions> = {},
): Promise<T> {
	const queue = new EventBarrier();
	// The clock has to leave behind the times of what the test has just written.
	const since = Date.now() + 2 * tickMs;
	await until("the files have become old", () => (Date.now() > since ? met(undefined) : notYet("young")), {
		everyMs: 5,
	});
	let changes: Change[] = [];
	const tree = new TreeWatcher(root, {
		queue,
		since,
		isCode: (name) => name.endsWith(".ts"),
		onChange: (change) => changes.push(change),
		...options,
	});
	try {
		await untilStarted(tree);
		return await body({
			tree,
			async news() {
				await tree.settle();
				const told = changes.map(({ kind, path }) => `${kind} ${relative(root, path)}`);
				changes = [];
				return [...new Set(told)];
			},
		});
	} finally {
		tree.close();
		queue.close();
	}
}

function untilStarted(tree: TreeWatcher): Promise<void> {
	return until("the first scan ends", () => (tree.state === "starting" ? notYet("starting") : met(undefined)), {
		everyMs: 5,
	});
}
