import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CompleteRequest, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Outline, OutlineSymbol } from "../../operations/symbols.ts";
import { workspaceOf } from "../../project/workspace-of.ts";
import { harmlessData } from "../../render/harmless.ts";
import { realPathOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";
import type { Resources } from "./resources.ts";
import type { McpSession } from "./session.ts";

const maxValues = 100;

export async function complete(
	session: McpSession,
	resources: Resources,
	{ argument, context }: CompleteRequest["params"],
	signal: AbortSignal,
) {
	const { name, value } = argument;
	const { path, file = path } = context?.arguments ?? {};
	if (!(await session.isOffering())) return answer([]);
	if (name === "path" || name === "file") return answer(await pathsFrom(await session.directories.first, value));
	if (name !== "symbol" || !file) return answer([]);
	try {
		const outline = (await resources.ask("symbols", file, (found) => ({ file: found }), { signal })) as Outline;
		const names = namesIn(outline.symbols).filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));
		return answer([...new Set(names)]);
	} catch (error) {
		if (error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams) return answer([]);
		throw error;
	}
}

function answer(found: readonly string[]) {
	const values = harmlessData(found.slice(0, maxValues));
	return { completion: { values, total: found.length, hasMore: found.length > maxValues } };
}

function namesIn(symbols: readonly OutlineSymbol[]): string[] {
	return symbols.flatMap(({ name, children }) => [name, ...namesIn(children)]);
}

/** Hidden ones only after a dot. */
async function pathsFrom(cwd: string, written: string): Promise<string[]> {
	const directory = written === "" || written.endsWith("/") ? written : dirname(written);
	const begun = written.slice(written.lastIndexOf("/") + 1);
	const real = await realPathOf(join(cwd, directory));
	const workspace = await realPathOf(await workspaceOf(cwd));
	if (real === undefined || workspace === undefined || !isInside(real, workspace)) return [];
	const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
	const prefix = written.slice(0, written.length - begun.length);
	return entries
		.filter(({ name }) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")))
		.map((entry) => `${prefix}${entry.name}${entry.isDirectory() ? "/" : ""}`)
		.sort();
}
