import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

/** Files with the servers that they were opened or closed in, a line each. */
export function openFilesText(
	files: readonly { readonly path: string; readonly server: string }[],
	done: string,
	none: string,
): string {
	if (files.length === 0) return none;
	const servers = new Map<string, string[]>();
	for (const { path, server } of files) servers.set(path, [...(servers.get(path) ?? []), server]);
	return [
		`${done} ${count(servers.size, "file", "files")}:`,
		...[...servers].map(([path, ids]) => `  ${oneLine(path)} (${ids.join(", ")})`),
	].join("\n");
}
