import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Change, type ChangeKind, mergeKinds } from "../../src/watch/batch.ts";
import { tickMs } from "../../src/watch/directory-node.ts";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { type TreeOptions, TreeWatcher } from "../../src/watch/tree-watcher.ts";

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
	/** The reports since the last call, in order, the changes of a file as one, as `kind path`. */
	reported(): string[];
	/** Settles, and returns the reports since the last call. */
	news(): Promise<string[]>;
}

/** Watches a scratch directory; its content by then counts as known. */
export async function withTree<T>(
	{ root }: Scratch,
	body: (watched: Watched) => Promise<T>,
	options: Partial<TreeOptions> = {},
): Promise<T> {
	const barrier = new EventBarrier();
	// The clock has to pass the times of the files that the test has just written.
	const since = Date.now() + 2 * tickMs;
	await pause(2 * tickMs + 1);
	let changes: Change[] = [];
	const tree = new TreeWatcher(root, {
		barrier,
		since,
		isCode: (name) => name.endsWith(".ts"),
		onChange: (change) => changes.push(change),
		...options,
	});
	try {
		await tree.settle();
		const reported = () => {
			const kinds = new Map<string, ChangeKind | undefined>();
			for (const { path, kind } of changes) kinds.set(path, mergeKinds(kinds.get(path), kind));
			changes = [];
			return [...kinds].filter(([, kind]) => kind).map(([path, kind]) => `${kind} ${relative(root, path)}`);
		};
		return await body({
			tree,
			reported,
			async news() {
				await tree.settle();
				if (!tree.source.isOrdered) {
					// A file that was younger than a tick is reported once more by the next comparison.
					await pause(2 * tickMs);
					await tree.settle();
				}
				return reported();
			},
		});
	} finally {
		tree.close();
		barrier.close();
	}
}
