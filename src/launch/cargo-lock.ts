import { join, resolve } from "node:path";
import { readToml, stringOf, tableAt } from "../project/manifests/toml.ts";
import { pathsUpward } from "../project/markers.ts";
import { anyManifest, readTextNow } from "../util/read-file.ts";
import { kindOf } from "./links.ts";

/**
 * True if cargo may write Cargo.lock through a link, upward or by `package.workspace`, or the manifest is unreadable.
 */
export function mayLockElsewhere(root: string): boolean {
	const file = join(root, "Cargo.toml");
	const manifest = readTextNow(file, anyManifest);
	if (manifest === undefined) return kindOf(file) !== "missing";
	const table = readToml(manifest);
	if (Object.keys(table).length === 0 && manifest.trim() !== "") return true;
	const named = stringOf(tableAt(table, "package").workspace);
	const locks = pathsUpward(root, ["Cargo.lock"]);
	if (named !== undefined) locks.push(join(resolve(root, named), "Cargo.lock"));
	return locks.some((lock) => kindOf(lock) === "link");
}
