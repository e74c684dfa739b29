export function pathsOfPatch(patch: string): string[] {
	const headers = patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ b\/)(.+)$/gm);
	const paths = [...headers].map((match) => (match[1] ?? "").trim());
	return [...new Set(paths)].filter((path) => path && path !== "/dev/null");
}

export interface PatchEdit {
	readonly file: string;
	readonly content?: string;
	readonly deleted?: true;
	readonly old_text?: string;
	readonly new_text?: string;
}

/** Between `*** Begin Patch` and `*** End Patch`; undefined if it moves files or is not understood. */
export function editsOfPatch(patch: string): PatchEdit[] | undefined {
	if (!patch.trimStart().startsWith("*** Begin Patch") || patch.includes("\n*** Move to: ")) return undefined;
	const edits: PatchEdit[] = [];
	for (const part of patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m).slice(1)) {
		const [header = "", ...rest] = part.replace(/\r?\n$/, "").split(/\r?\n/);
		const [, what, file = ""] = /^(Add|Update|Delete) File: (.+)$/.exec(header) ?? [];
		const end = rest.findIndex((line) => line.startsWith("*** End Patch"));
		const lines = end < 0 ? rest : rest.slice(0, end);
		if (what === "Delete") edits.push({ file, deleted: true });
		else if (what === "Add") edits.push({ file, content: `${sideOf(lines, "+")}\n` });
		else
			for (const hunk of hunksIn(lines)) edits.push({ file, old_text: sideOf(hunk, "-"), new_text: sideOf(hunk, "+") });
	}
	return edits.length > 0 && edits.every(({ file }) => file !== "") ? edits : undefined;
}

function hunksIn(lines: readonly string[]): string[][] {
	const hunks: string[][] = [];
	let hunk: string[] | undefined;
	for (const line of lines) {
		if (line.startsWith("@@") || !hunk) {
			hunk = [];
			hunks.push(hunk);
		}
		if (/^[-+ ]/.test(line) || line === "") hunk.push(line);
	}
	return hunks.filter((each) => each.some((line) => line.startsWith("-") || line.startsWith("+")));
}

function sideOf(lines: readonly string[], sign: "-" | "+"): string {
	const own = lines.filter((line) => line === "" || line.startsWith(sign) || line.startsWith(" "));
	return own.map((line) => line.slice(1)).join("\n");
}
