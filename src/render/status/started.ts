import { oneLine } from "../escape.ts";

/** Each server that was started with its time, or why it was not. */
export function startedText(
	servers: readonly {
		readonly server: string;
		readonly root: string;
		readonly version?: string;
		readonly ms: number;
		readonly error?: { readonly code: string; readonly message: string };
	}[],
): string {
	return servers
		.map(({ server, root, version, ms, error }) => {
			const name = oneLine([server, version].filter(Boolean).join(" "));
			return error
				? `${name} in ${oneLine(root)}: ${error.code}: ${oneLine(error.message)}`
				: `${name} in ${oneLine(root)}: ready after ${Math.round(ms)} ms`;
		})
		.join("\n");
}
