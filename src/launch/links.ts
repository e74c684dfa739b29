import { lstatSync } from "node:fs";
import { join } from "node:path";

/** What is at a path, of which a link's target is no part. What cannot be looked at counts as missing. */
export function kindOf(path: string): "missing" | "link" | "other" {
	try {
		const info = lstatSync(path, { throwIfNoEntry: false });
		if (info === undefined) return "missing";
		return info.isSymbolicLink() ? "link" : "other";
	} catch {
		return "missing";
	}
}

/** True if a part of `path`, which begins at `root`, is a link: what is written there may land elsewhere. */
export function goesThroughLink(root: string, path: string): boolean {
	const parts = path.split("/");
	return parts.some((_, last) => kindOf(join(root, ...parts.slice(0, last + 1))) === "link");
}
