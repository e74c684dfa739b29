import { type GitChanges, gitChanges } from "../../changes/git-changes.ts";
import { filesAt } from "../../project/git.ts";
import { statOf } from "../../util/files.ts";
import type { OperationCall } from "../operation-context.ts";

export interface TextsBefore {
	readonly texts: ReadonlyMap<string, string>;
	/** False if git skipped changes, or there are too many. */
	readonly isComplete: boolean;
	unchanged(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

const maxTexts = 50;

/** Undefined without git. */
export async function textsBefore(
	{ params, env, settings }: OperationCall,
	workspace: string,
	signal: AbortSignal,
	since?: string,
): Promise<TextsBefore | undefined> {
	const { cwd } = params;
	const conversation = since === undefined ? params.conversation : undefined;
	const begunAt = conversation?.begunAt ?? 0;
	const options = { cwd, workspace, env: await env(), signal, maxBytes: (await settings()).maxFileBytes };
	let changes: GitChanges;
	try {
		changes = await gitChanges({ base: since }, options);
	} catch {
		return undefined;
	}
	const texts = new Map<string, string>();
	const created = new Set<string>();
	for (const { path, before } of changes.files) {
		if (!(await hasChangedSince(path, begunAt))) continue;
		if (before === undefined) created.add(path);
		else texts.set(path, before);
	}
	const isComplete = changes.skipped.length === 0 && texts.size <= maxTexts;
	return {
		texts,
		isComplete,
		async unchanged(paths) {
			const found = new Set<string>();
			const asked: string[] = [];
			for (const path of paths.filter((each) => !created.has(each)))
				if (conversation && !(await hasChangedSince(path, begunAt))) found.add(path);
				else asked.push(path);
			// git knows no state of an ignored file.
			const known = await filesAt(since ?? "HEAD", asked, options).catch(() => []);
			return new Set([...found, ...known]);
		},
	};
}

async function hasChangedSince(path: string, time: number): Promise<boolean> {
	const info = await statOf(path);
	return !info || Number(info.mtimeNs / 1_000_000n) >= time;
}
