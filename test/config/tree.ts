import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A directory of one test. */
export interface Tree {
	readonly base: string;
	path(...parts: string[]): string;
	write(file: string, text?: string): string;
	mkdir(directory: string): string;
}

/** Files in a directory that is removed after the test; a path that ends in a slash is an empty directory. */
export async function withTree<T>(files: readonly string[], body: (tree: Tree) => Promise<T>): Promise<T> {
	const base = realpathSync(mkdtempSync("/tmp/pl-tree-"));
	const path = (...parts: string[]) => join(base, ...parts);
	const mkdir = (directory: string) => {
		mkdirSync(path(directory), { recursive: true });
		return path(directory);
	};
	const write = (file: string, text = "") => {
		mkdirSync(dirname(path(file)), { recursive: true });
		writeFileSync(path(file), text);
		return path(file);
	};
	try {
		for (const file of files) file.endsWith("/") ? mkdir(file) : write(file, file.endsWith(".json") ? "{}" : "");
		return await body({ base, path, mkdir, write });
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
}
