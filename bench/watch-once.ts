// Watches a repository in a process of its own, and prints its measurements as JSON.
import process from "node:process";
import { EventBarrier } from "../src/watch/event-barrier.ts";
import { TreeWatcher } from "../src/watch/tree-watcher.ts";

const root = process.argv[2];
if (root === undefined) throw new Error("usage: watch-once.ts DIRECTORY");
const memory = () => {
	globalThis.gc?.();
	return process.memoryUsage().rss / 1024 ** 2;
};
const before = memory();
const began = performance.now();
const barrier = new EventBarrier();
const isCode = (name: string) => name.endsWith(".ts");
const tree = new TreeWatcher(root, { barrier, since: Date.now(), isCode, onChange: () => {} });
while (tree.state === "starting") await new Promise((resolve) => setImmediate(resolve));
const ms = performance.now() - began;
const { state, directories } = tree;
process.stdout.write(`${JSON.stringify({ ms, megabytes: memory() - before, state, directories })}\n`);
tree.close();
barrier.close();
