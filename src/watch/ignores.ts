import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isForeign } from "../project/root.ts";
import { maxManifestBytes, readTextNow } from "../util/read-file.ts";
import { entriesOf, listed } from "./directory-node.ts";

const peekLevels = 3;
const peekDirectories = 200;

/** With three stars a name of 255 letters takes 10 ms. */
const limits = { characters: 500_000, rules: 5000, rule: 500, stars: 3, withManyStars: 20 };

/** Build output and caches, for a tree that no git looks after. */
const fallback = ["dist", "build", "out", "target", "coverage", "tmp", ".cache", ".next", ".nuxt", ".turbo", ".gradle"];

/**
 * Which directories of a tree are worth a watch: what git ignores is not, in layers as git has them (nested
 * `.gitignore` files, those of the directories above, `.git/info/exclude`); without git a list of usual names.
 */
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

	/** Reads the `.gitignore` of a directory (again). */
	load(directory: string): void {
		const own = this.#read(join(directory, ".gitignore"));
		// In a worktree `.git` is a file; its exclude file is then not found, and nothing is lost but a few watches.
		const excluded = directory === this.#top ? this.#read(join(directory, ".git/info/exclude")) : undefined;
		const usual = own === undefined && directory === this.#root && !this.#inGit ? fallback.join("\n") : undefined;
		const rules = [excluded, own, usual].filter((text) => text !== undefined).join("\n");
		if (rules === "") this.#layers.delete(directory);
		else this.#layers.set(directory, ignore().add(plainRules(rules)));
	}

	/** A link may not lead out of the tree: git follows none at all. */
	#read(file: string): string | undefined {
		return readTextNow(file, { maxBytes: maxManifestBytes, within: this.#top });
	}

	/** Forgets the `.gitignore` of a directory that is gone. */
	unload(directory: string): void {
		this.#layers.delete(directory);
	}

	/** True if git would not look into this directory. The deepest file with an opinion decides. */
	ignores(directory: string): boolean {
		for (let at = dirname(directory); ; at = dirname(at)) {
			const layer = this.#layers.get(at);
			if (layer) {
				const verdict = layer.test(`${relative(at, directory).split(sep).join("/")}/`);
				if (verdict.ignored || verdict.unignored) return verdict.ignored;
			}
			if (at === this.#top || at === dirname(at)) return false;
		}
	}
}

/**
 * The rules that are used: each becomes a regular expression, which goes through all ways in which its stars may stand for
 * parts of a name. Without a rule more directories are watched, and that is all.
 */
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

/** True for a directory name of installed packages, version control or virtual environments. */
export function isForeignName(name: string): boolean {
	return isForeign(join(sep, name, "_"), sep);
}

/**
 * True if a directory holds files with the languages' names, at most three levels and 200 directories deep. Generated
 * code is often ignored by git and always loaded by the compiler; a missed change would be a wrong answer.
 */
export function holdsCode(directory: string, isCode: (name: string) => boolean): boolean {
	let wave = [directory];
	let left = peekDirectories;
	for (let level = 0; level < peekLevels && wave.length > 0; level++) {
		const next: string[] = [];
		for (const path of wave) {
			if (left-- <= 0) return false;
			for (const entry of listed(entriesOf(path))) {
				if (entry.isDirectory()) {
					if (!isForeignName(entry.name)) next.push(join(path, entry.name));
				} else if (isCode(entry.name)) return true;
			}
		}
		wave = next;
	}
	return false;
}

/** The nearest directory at or above `directory` that holds `.git`. */
export function repositoryOf(directory: string): string | undefined {
	for (let at = directory; ; at = dirname(at)) {
		if (existsSync(join(at, ".git"))) return at;
		if (at === dirname(at)) return undefined;
	}
}
