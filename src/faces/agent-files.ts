import type { AgentFile, AgentPhase } from "../contract/agent-event.ts";
import { fileNamesIn } from "../edit-hook/command-changes.ts";
import { absolutePath, textBefore } from "../edit-hook/tool-call.ts";

export interface HostCallFiles {
	readonly kind: "edit" | "write" | "command";
	readonly files: readonly string[];
	readonly command?: string;
	/** Before a call that changes one file; null for none. */
	readonly before?: string | null;
	/** For hosts without an event before the call. */
	readonly replaced?: readonly Replaced[];
}

export interface Replaced {
	readonly from: string;
	readonly to: string;
}

const maxFiles = 50;
const maxBytes = 5 * 1024 * 1024;

/** Here, not in the daemon: the call goes on when this ends. */
export async function filesOf(call: HostCallFiles, phase: AgentPhase, cwd: string): Promise<AgentFile[]> {
	if (call.before !== undefined) return call.files.map((path) => ({ path, before: call.before ?? null }));
	const [only] = call.files;
	if (phase === "after" && call.replaced && only !== undefined) {
		const before = withoutReplaced(await textBefore(absolutePath(only, cwd), maxBytes), call.replaced);
		return [{ path: only, ...(before === undefined ? {} : { before }) }];
	}
	const paths = call.kind === "command" ? fileNamesIn(call.command) : call.files.slice(0, maxFiles);
	if (phase !== "before") return call.kind === "command" ? [] : paths.map((path) => ({ path }));
	const read = paths.map(async (path) => ({ path, before: await textBefore(absolutePath(path, cwd), maxBytes) }));
	return (await Promise.all(read)).flatMap(({ path, before }) => {
		if (before === undefined) return [];
		return call.kind === "command" && before === null ? [] : [{ path, before }];
	});
}

function withoutReplaced(text: string | null | undefined, replaced: readonly Replaced[]): string | undefined {
	let before = text ?? undefined;
	for (const { from, to } of replaced.toReversed()) {
		const parts = to === "" ? [] : before?.split(to);
		before = parts?.length === 2 ? parts.join(from) : undefined;
	}
	return before;
}
