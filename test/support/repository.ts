import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this repository, which `pi -e` is given. */
export const REPOSITORY: string = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The command line of the product. */
export const CLI: string = join(REPOSITORY, "dist/cli.cjs");

/** Files of the working tree that git knows or would add: the checkout that a commit of today would give. */
function trackedFiles(): string[] {
	const out = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
		cwd: REPOSITORY,
		encoding: "utf8",
	});
	return out.split("\0").filter((file) => file !== "" && existsSync(join(REPOSITORY, file)));
}

/** Copies the working tree, without what git ignores. */
export function copyCheckout(target: string): void {
	for (const file of trackedFiles()) cpSync(join(REPOSITORY, file), join(target, file), { recursive: true });
}
