import { lstatSync } from "node:fs";
import { join } from "node:path";

export function kindOf(path: string): "missing" | "link" | "other" {
	try {
		const info = lstatSync(path, { throwIfNoEntry: false });
		if (info === undefined) return "missing";
		return info.isSymbolicLink() ? "link" : "other";
	} catch {
		return "missing";
	}
}

/** Writes through a link may land elsewhere. */
export function goesThroughLink(root: string, path: string): boolean {
	const parts = path.split("/");
	return parts.some((_, last) => kindOf(join(root, ...parts.slice(0, last + 1))) === "link");
}
