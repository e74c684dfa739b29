// Run by tree-watcher.test.ts with a directory: watches it in a process whose last file descriptor is taken.
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { sources, type WatchSource } from "../../src/watch/source.ts";
import { TreeWatcher } from "../../src/watch/tree-watcher.ts";

const root = process.argv[2] ?? "";
const reported: string[] = [];
/**
 * Takes every remaining descriptor, as `prlimit --nofile` would from the start, and returns the function that frees
 * them.
 */
function takeAll(): () => void {
	const taken: number[] = [];
	try {
		for (;;) taken.push(openSync("/dev/null", "r"));
	} catch {
		return () => {
			for (const descriptor of taken) closeSync(descriptor);
		};
	}
}
const starved: WatchSource = {
	...sources.native,
	watch(target) {
		const giveBack = takeAll();
		try {
			return sources.native.watch(target);
		} finally {
			giveBack();
		}
	},
};
const barrier = new EventBarrier();
const tree = new TreeWatcher(root, {
	barrier,
	since: Date.now(),
	isCode: () => true,
	onChange: ({ kind }) => reported.push(kind),
	source: starved,
});
while (tree.state === "starting") await new Promise((resolve) => setImmediate(resolve));
const { state } = tree;
writeFileSync(join(root, "a/one.ts"), "1");
const giveBack = takeAll();
await tree.settle();
giveBack();
await tree.settle();
tree.close();
barrier.close();
const left = process.getActiveResourcesInfo().filter((name) => /FSEvent|Timeout/.test(name)).length;
console.log(JSON.stringify({ state, reported: [...new Set(reported)], left }));
