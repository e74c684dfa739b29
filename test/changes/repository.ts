import { execFileSync } from "node:child_process";
import type { Workspace } from "../support/workspace.ts";

export function git(ws: Workspace, ...args: readonly string[]): string {
	const author = ["-c", "user.email=a@example.org", "-c", "user.name=A"];
	return execFileSync("git", [...author, ...args], {
		cwd: ws.root,
		env: ws.env,
		encoding: "utf8",
		stdio: "pipe",
	}).trim();
}

/** Makes a repository of the workspace, whose files are in its first commit. */
export function commitAll(ws: Workspace): void {
	git(ws, "init", "-q", "-b", "main", ".");
	git(ws, "add", "-A");
	git(ws, "commit", "-q", "-m", "first");
}
