import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isForeign } from "../project/root.ts";
import { maxManifestBytes, readTextNow } from "../util/read-file.ts";
import { readableEntries } from "./directory-node.ts";

const maxDepth = 3;
const maxDirectories = 200;

/** A match takes longer with each star of a rule. */
const limits = { characters: 500_000, rules: 5000, rule: 500, stars: 3, withManyStars: 20 };

const fallback = ["dist", "build", "out", "target", "coverage", "tmp", ".cache", ".next", ".nuxt", ".turbo", ".gradle"];

export class Ignores {
	readonly #top: string;
	readonly #root: string;
	readonly #inGit: boolean;
	readonly #layers = new Map<string, Ignore>();

	constructor(root: string) {
		this.#root = root;
		const repository = repositoryOf(root);
		this.#top = repository ?? root;
		this.#inGit = repository !== undefined;
		if (repository) {
			for (let directory = dirname(root); root !== repository; directory = dirname(directory)) {
				this.load(directory);
				if (directory === repository) break;
			}
		}
		this.load(root);
	}

	load(directory: string): void {
		const own = this.#read(join(directory, ".gitignore"));
		// In a worktree `.git` is a file; its exclude file is left out.
		const excluded = directory === this.#top ? this.#read(join(directory, ".git/info/exclude")) : undefined;
		const usual = own === undefined && directory === this.#root && !this.#inGit ? fallback.join("\n") : undefined;
		const rules = [excluded, own, usual].filter((text) => text !== undefined).join("\n");
		if (rules === "") this.#layers.delete(directory);
		else this.#layers.set(directory, ignore().add(plainRules(rules)));
	}

	/** No link may lead out of the tree. */
	#read(file: string): string | undefined {
		return readTextNow(file, { maxBytes: maxManifestBytes, within: this.#top });
	}

	unload(directory: string): void {
		this.#layers.delete(directory);
	}

	ignores(directory: string): boolean {
		return this.#test(directory, "/");
	}

	ignoresFile(path: string): boolean {
		return this.#test(path, "");
	}

	#test(path: string, end: string): boolean {
		for (let at = dirname(path); ; at = dirname(at)) {
			const layer = this.#layers.get(at);
			if (layer) {
				const verdict = layer.test(`${relative(at, path).split(sep).join("/")}${end}`);
				if (verdict.ignored || verdict.unignored) return verdict.ignored;
			}
			if (at === this.#top || at === dirname(at)) return false;
		}
	}
}

export function exclusion(root: string, patterns: readonly string[]): (path: string) => boolean {
	const rules = ignore().add(plainRules(patterns.join("\n")));
	return (path) => rules.ignores(relative(root, path).split(sep).join("/"));
}

/** Drops rules that would backtrack for long; more is watched then. */
export function plainRules(text: string): string[] {
	let many = 0;
	return text
		.slice(0, limits.characters)
		.split(/\r?\n/)
		.filter((rule) => {
			const stars = rule.split(/\*+/).length - 1;
			if (rule.length > limits.rule || stars > limits.stars) return false;
			return stars < limits.stars || ++many <= limits.withManyStars;
		})
		.slice(0, limits.rules);
}

/** `node_modules`, `.git`, `.venv` and their like. */
export function isForeignName(name: string): boolean {
	return isForeign(join(sep, name, "_"), sep);
}

/** Looks at three levels and 200 directories. Compilers read generated code although git ignores it. */
export function containsCode(directory: string, isCode: (name: string) => boolean): boolean {
	let wave = [directory];
	let left = maxDirectories;
	for (let level = 0; level < maxDepth && wave.length > 0; level++) {
		const next: string[] = [];
		for (const path of wave) {
			if (left-- <= 0) return false;
			for (const entry of readableEntries(path)) {
				if (entry.isDirectory()) {
					if (!isForeignName(entry.name)) next.push(join(path, entry.name));
				} else if (isCode(entry.name)) return true;
			}
		}
		wave = next;
	}
	return false;
}

export function repositoryOf(directory: string): string | undefined {
	for (let at = directory; ; at = dirname(at)) {
		if (existsSync(join(at, ".git"))) return at;
		if (at === dirname(at)) return undefined;
	}
}
