import { Buffer } from "node:buffer";
import type { Host } from "./event.ts";

export function limitText(text: string, { unit, most }: Host["limit"]): string {
	const length = (part: string) => (unit === "bytes" ? Buffer.byteLength(part) : part.length);
	if (length(text) <= most) return text;
	const lines = text.split("\n");
	const kept: string[] = [];
	let left = most - 200;
	for (const line of lines) {
		left -= length(line) + 1;
		if (left < 0) break;
		kept.push(line);
	}
	const isOpen = kept.findLastIndex((line) => line.startsWith("<diagnostics")) > kept.lastIndexOf("</diagnostics>");
	const cut = lines.length - kept.length;
	return [
		...kept,
		...(isOpen ? ["</diagnostics>"] : []),
		`… and ${cut} more lines; \`pi-lsp check FILE\` has all.`,
	].join("\n");
}
