import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Files, type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { BareClient, type BareServer } from "./bare-client.ts";
import type { Corpus } from "./corpus.ts";

/** Writes a copy of a corpus next to a workspace, for the bare client: the same disk and files, another server. */
export function writeCopy(ws: Workspace, { files }: Pick<Corpus, "files">, name = "bare"): string {
	const root = join(ws.base, name);
	for (const [file, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
	return root;
}

/** Runs `body` with a bare client that has opened a corpus's edited files and pulled each of them once. */
export async function withWarmBare<T>(
	ws: Workspace,
	corpus: Corpus,
	body: (bare: BareClient, root: string) => Promise<T>,
): Promise<T> {
	const root = writeCopy(ws, corpus);
	const bare = await BareClient.start(root, ws.env);
	try {
		for (const file of [...corpus.targets, corpus.contract]) {
			bare.open(file, corpus.files[file] ?? "");
			await bare.pull(file);
		}
		for (const file of corpus.brokenByContract) await bare.pull(file);
		return await body(bare, root);
	} finally {
		await bare.stop();
	}
}

/** Runs `body` with a bare client of a server, by default TypeScript 7, in a copy of some files next to a workspace. */
export async function withBare<T>(
	ws: Workspace,
	files: Files,
	server: BareServer | undefined,
	body: (bare: BareClient, root: string) => Promise<T>,
	name = "bare",
): Promise<T> {
	const root = writeCopy(ws, { files }, name);
	const bare = await BareClient.start(root, ws.env, server);
	try {
		return await body(bare, root);
	} finally {
		await bare.stop();
	}
}

/** Makes a directory a repository and commits its files. */
export function commitAll(root: string, env: NodeJS.ProcessEnv = process.env, paths: readonly string[] = ["-A"]): void {
	const git = (...args: readonly string[]) =>
		execFileSync("git", ["-c", "user.email=a@example.org", "-c", "user.name=A", ...args], {
			cwd: root,
			env,
			stdio: "pipe",
		});
	git("init", "-q", ".");
	git("add", ...paths);
	git("commit", "-q", "-m", "first");
}

/** Runs `body` with two workspaces of the same project. */
export function withTwoWorkspaces<T>(
	corpus: Corpus,
	body: (one: Workspace, other: Workspace) => Promise<T>,
): Promise<T> {
	return withWorkspace(corpus.files, (one) => withWorkspace(corpus.files, (other) => body(one, other)));
}
