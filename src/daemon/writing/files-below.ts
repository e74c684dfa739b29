import { join } from "node:path";
import { isForeign } from "../../project/root.ts";
import { namesIn, statOf } from "../../util/files.ts";

const maxFiles = 500;

export async function filesBelow(path: string, workspace: string): Promise<string[]> {
	const files: string[] = [];
	const waiting = [path];
	for (let next = waiting.pop(); next !== undefined && files.length < maxFiles; next = waiting.pop()) {
		const info = await statOf(next);
		if (info?.isFile()) files.push(next);
		else if (info?.isDirectory() && !isForeign(join(next, "file"), workspace)) {
			const directory = next;
			waiting.push(
				...((await namesIn(directory)) ?? [])
					.sort()
					.reverse()
					.map((name) => join(directory, name)),
			);
		}
	}
	return files;
}
