import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { LspError } from "../../src/contract/errors.ts";
import type { Written } from "../../src/contract/planned.ts";
import type { DaemonClient } from "../../src/daemon/lifecycle/connect.ts";
import { carryOut } from "../../src/faces/carry-out.ts";
import { exitCodeOfWritten } from "../../src/operations/common/written.ts";
import { withServers } from "../../test/live/languages.ts";
import { type Files, withWorkspace } from "../../test/support/workspace.ts";
import type { BareClient } from "../bare-client.ts";
import { withDaemon } from "../daemon.ts";
import type { Oracle } from "../oracle.ts";
import { withBare } from "../places.ts";
import type { Errors } from "../truth/errors.ts";
import type { ChangeSubject } from "./subjects.ts";

export interface Extent {
	/** Changes of each package. */
	readonly each: number;
	readonly seed: number;
	/** The part is to end with the results so far. */
	readonly isOver: () => boolean;
	readonly log: (line: string) => void;
}

/** A package that is changed: a daemon for it, and a bare client of the same server for an unchanged copy. */
export interface Stage {
	readonly root: string;
	readonly files: Files;
	readonly daemon: DaemonClient;
	readonly bare: BareClient;
	readonly judge: Oracle;
}

/** The exit code of a change, or its refusal. */
export type Outcome = { readonly output: Written; readonly exitCode: number } | { readonly refused: LspError };

export function withStage<T>(subject: ChangeSubject, body: (stage: Stage) => Promise<T>): Promise<T> {
	const files = subject.files();
	return withWorkspace(files, async (fresh) => {
		// Without trust rust-analyzer must not run cargo.
		const ws = { ...fresh, env: { ...withServers(fresh.env), PI_LSP_TRUST: "1" } };
		const bareWs = { ...ws, env: { ...ws.env, HOME: process.env.HOME ?? "" } };
		return await withBare(bareWs, files, subject.bare(), (bare) =>
			withDaemon(ws, async (daemon) => {
				for (const [file, text] of Object.entries(files)) if (subject.isSource(file)) bare.open(file, text);
				return body({ root: ws.root, files, daemon, bare, judge: subject.oracle(ws.root, bare) });
			}),
		);
	});
}

/** Runs a writing operation as faces do, up to its exit code. */
export async function change({ daemon, root }: Stage, operation: string, input: object): Promise<Outcome> {
	const about = { cwd: root };
	try {
		const answer = await daemon.call<unknown>(operation, { ...about, input });
		const output = (await carryOut(answer, (plan) => daemon.call("commit", { ...about, plan }))) as Written;
		return { output, exitCode: exitCodeOfWritten(output) };
	} catch (thrown) {
		if (thrown instanceof LspError) return { refused: thrown };
		throw thrown;
	}
}

/** Hashes of a tree's files by path. */
export function treeOf(root: string): Map<string, string> {
	const paths = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
		.filter((path) => !path.startsWith("target/") && path !== "Cargo.lock");
	return new Map(paths.sort().map((path) => [path, hashOf(readFileSync(join(root, path)))]));
}

/** The same for files that are expected. */
export function treeOfFiles(files: Files): Map<string, string> {
	return new Map(Object.entries(files).map(([path, text]) => [path, hashOf(Buffer.from(text))]));
}

function hashOf(bytes: Buffer): string {
	return createHash("sha256").update(bytes).digest("hex");
}

/** The paths in which two trees differ. */
export function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
	return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).sort();
}

export function restore({ root, files }: Stage): void {
	const there = treeOf(root);
	for (const path of differing(there, treeOfFiles(files))) writeFileSync(join(root, path), files[path] ?? "");
}

/** Errors by file, code and the text of their line, so that lines may move; repeated errors are listed repeatedly. */
export function errorsInText(errors: Errors, text: (file: string) => string): string[] {
	const found: string[] = [];
	for (const [file, each] of errors) {
		const lines = text(file).split("\n");
		for (const error of each) {
			const [line, code = ""] = error.split(" ");
			found.push(`${file} ${code} ${(lines[Number(line) - 1] ?? "").replace(/\s+/g, " ").trim()}`);
		}
	}
	return found.sort();
}

/** The entries that one list has more often than the other. */
export function moreIn(after: readonly string[], before: readonly string[]): string[] {
	const left = [...before];
	return after.filter((each) => {
		const at = left.indexOf(each);
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}
