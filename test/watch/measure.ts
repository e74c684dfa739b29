// node scripts/run-ts.mjs test/watch/measure.ts: what watching a tree of 5,000 files in 1,800 directories costs.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { EventBarrier } from "../../src/watch/event-barrier.ts";
import { sources } from "../../src/watch/source.ts";
import { TreeWatcher } from "../../src/watch/tree-watcher.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-lsp-measure-")));
try {
	for (let d = 0; d < 1800; d++) {
		const directory = join(root, `a${d % 12}`, `b${d % 144}`, `c${d}`);
		mkdirSync(directory, { recursive: true });
		for (let f = 0; f < (d % 9 < 7 ? 3 : 2); f++)
			writeFileSync(join(directory, `f${f}.ts`), `export const x = ${d};\n`);
	}
	const memory = () => {
		globalThis.gc?.();
		return process.memoryUsage().rss / 1024 ** 2;
	};
	const before = memory();
	const began = performance.now();
	const barrier = new EventBarrier();
	let heard = 0;
	const tree = new TreeWatcher(root, {
		barrier,
		since: Date.now(),
		isCode: (name) => name.endsWith(".ts"),
		onChange: () => heard++,
	});
	while (tree.state === "starting") await new Promise((resolve) => setImmediate(resolve));
	console.log(
		`ready after ${(performance.now() - began).toFixed(0)} ms, ${tree.directories} directories, ${tree.state}`,
	);
	console.log(`memory ${(memory() - before).toFixed(1)} MiB`);
	const median = async (what: string, times: number, work: (i: number) => Promise<void>) => {
		const took: number[] = [];
		for (let i = 0; i < times; i++) {
			const start = performance.now();
			await work(i);
			took.push(performance.now() - start);
		}
		took.sort((a, b) => a - b);
		const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]?.toFixed(2);
		console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`);
	};
	await median("settle, nothing changed", 500, () => tree.settle());
	heard = 0;
	await median("write and settle", 500, async (i) => {
		writeFileSync(join(root, "a1/b1/c1/f1.ts"), `export const x = "${i}";\n`);
		await tree.settle();
	});
	console.log(`heard ${heard} of 500`);
	tree.close();
	const broken = new TreeWatcher(root, {
		barrier,
		since: Date.now(),
		isCode: () => false,
		onChange: () => heard++,
		source: sources.off,
	});
	while (broken.state === "starting") await new Promise((resolve) => setImmediate(resolve));
	await median("without events: settle by a sweep", 20, () => broken.settle());
	broken.close();
	barrier.close();
} finally {
	rmSync(root, { recursive: true, force: true });
}
