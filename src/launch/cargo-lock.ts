import { join, resolve } from "node:path";
import { pathsUpward } from "../project/markers.ts";
import { readToml, stringOf, tableAt } from "../project/toml.ts";
import { anyManifest, readTextNow } from "../util/read-file.ts";
import { kindOf } from "./links.ts";

/**
 * True if cargo may write the Cargo.lock of a crate's workspace through a link. The workspace lies upward, or where
 * `package.workspace` says; of a manifest that cannot be read nothing is known.
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
