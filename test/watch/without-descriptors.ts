// Run by tree.test.ts with a directory: watches it in a process whose last file descriptor is taken.
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { nodeWatcher } from "../../src/watch/directory-node.ts";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { TreeWatcher } from "../../src/watch/tree-watcher.ts";

const root = process.argv[2] ?? "";
const told: string[] = [];
/** Takes every descriptor that is left, as `prlimit --nofile` would from the start, and gives the way to return them. */
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
const starved: typeof nodeWatcher = (...args) => {
	const giveBack = takeAll();
	try {
		return nodeWatcher(...args);
	} finally {
		giveBack();
	}
};
const queue = new EventBarrier();
const tree = new TreeWatcher(root, {
	queue,
	since: Date.now(),
	isCode: () => true,
	onChange: ({ kind }) => told.push(kind),
	watcher: starved,
});
while (tree.state === "starting") await new Promise((resolve) => setImmediate(resolve));
const { state } = tree;
writeFileSync(join(root, "a/one.ts"), "1");
const giveBack = takeAll();
await tree.settle();
giveBack();
await tree.settle();
tree.close();
queue.close();
const left = process.getActiveResourcesInfo().filter((name) => /FSEvent|Timeout/.test(name)).length;
console.log(JSON.stringify({ state, told: [...new Set(told)], left }));
