import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

interface ShownServer {
	readonly id: string;
	readonly condition: string;
	readonly version?: string;
	readonly strategy?: string;
	readonly install?: string;
	readonly allow?: string;
	readonly error?: string;
}

/** A line for each language with its servers, then a line for each server. */
export function serversText({
	languages,
	servers,
}: {
	readonly languages: readonly { readonly id: string; readonly files: number; readonly servers: readonly string[] }[];
	readonly servers: readonly ShownServer[];
}): string {
	if (languages.length === 0) return "No file of this workspace is known to any server.";
	return [
		...languages.map(({ id, files, servers: ids }) => `${id}: ${count(files, "file", "files")} (${ids.join(", ")})`),
		...servers.map(serverLine),
	].join("\n");
}

function serverLine({ id, condition, version, strategy, install, allow, error }: ShownServer): string {
	const facts = [version, strategy].filter(Boolean).join(", ");
	const next = install ?? allow ?? (condition === "broken" ? error : undefined);
	return `  ${id}: ${condition}${facts ? ` (${facts})` : ""}${next ? `; ${oneLine(next)}` : ""}`;
}
