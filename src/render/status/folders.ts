import { oneLine } from "../escape.ts";

/** What a change of the workspace's folders has led to, and the folders of each server. */
export function foldersText({
	changed,
	servers,
}: {
	readonly changed?: readonly string[];
	readonly servers: readonly { readonly server: string; readonly folders: readonly string[] }[];
}): string {
	const lines = servers.map(({ server, folders }) => `${server}: ${folders.map(oneLine).join(", ")}`);
	const told = changed && (changed.length > 0 ? `Told ${changed.join(", ")}.` : "No running server took the change.");
	return [...(told ? [told] : []), ...(lines.length > 0 ? lines : ["No server runs in this workspace."])].join("\n");
}
