import { execFileSync } from "node:child_process";
import process from "node:process";
import { REPOSITORY } from "./repository.ts";

/** Builds the product once and before any test file: tests never build into the checkout themselves. */
export function setup(): void {
	execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: REPOSITORY, stdio: ["ignore", "inherit", "inherit"] });
}
