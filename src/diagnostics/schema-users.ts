import { extname } from "node:path";
import picomatch from "picomatch";
import type { FileIndex } from "../impact/index/file-index.ts";
import { schemasInSettings } from "../launch/schema-settings.ts";
import { matchesName } from "../project/file-match.ts";
import type { Located } from "../routing/locate.ts";

export async function filesJudgedBy(
	schemas: ReadonlySet<string>,
	index: FileIndex,
	locate: ((path: string) => Promise<Located>) | undefined,
): Promise<string[]> {
	if (!locate) return [];
	const files = await index.data();
	const firstOfKind = new Map(files.map((path) => [extname(path), path])).values();
	const located = await Promise.all([...firstOfKind].map((path) => locate(path).catch(() => undefined)));
	const found = new Set<string>();
	for (const { config, root } of located.flatMap((each) => each?.routes ?? []))
		for (const { file, patterns } of schemasInSettings(config.settings ?? {}, root)) {
			if (!schemas.has(file)) continue;
			const fits = picomatch(
				patterns.map((pattern) => `**/${pattern.replace(/^\//, "")}`),
				{ dot: true },
			);
			for (const path of files) if (matchesName(config, path) && fits(path.slice(1))) found.add(path);
		}
	return [...found];
}
