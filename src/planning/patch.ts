import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import { LspError } from "../contract/errors.ts";
import type { PlannedTree } from "./planned-tree.ts";
import { refused } from "./text-edits.ts";

const maxPatchLength = 4 * 1024 * 1024;

/** Hunks must fit exactly. Rejects with LSP_EDIT_REFUSED, or LSP_INVALID_INPUT for another text. */
export async function planPatch(patch: string, tree: PlannedTree, toPath: (name: string) => string): Promise<void> {
	const copy = async (from: string, target: string) => {
		const text = await tree.textOf(toPath(from));
		if (text === undefined) throw refused(from, "it does not exist");
		await tree.create(target);
		await tree.write(target, text);
	};
	for (const file of parse(patch)) {
		const from = file.isCreate ? undefined : nameIn(file.oldFileName);
		const to = file.isDelete ? undefined : nameIn(file.newFileName);
		const name = to ?? from;
		if (name === undefined) throw invalid("it names no file");
		const path = toPath(name);
		if (to === undefined) {
			await tree.delete(path);
			continue;
		}
		if (from !== undefined && from !== to) {
			if (file.isCopy) await copy(from, path);
			else await tree.move(toPath(from), path);
			if (file.hunks.length === 0) continue;
		}
		const text = await tree.textOf(path);
		if (from !== undefined && text === undefined) throw refused(name, "it does not exist");
		if (from === undefined && text !== undefined) throw refused(name, "it exists already");
		const next = applyPatch(text ?? "", file);
		if (next === false) throw refused(name, "the diff does not fit its text");
		await tree.write(path, next);
	}
}

function parse(patch: string) {
	if (patch.length > maxPatchLength) throw invalid("it is too large");
	let files: ReturnType<typeof parsePatch>;
	try {
		files = parsePatch(patch);
	} catch (error) {
		throw invalid((error as Error).message.split("\n")[0]!);
	}
	const changing = files.filter(isChange);
	if (changing.length === 0) throw invalid("it changes nothing");
	const binary = files.find(({ isBinary }) => isBinary);
	if (binary) throw invalid(`${nameIn(binary.newFileName) ?? nameIn(binary.oldFileName)} is no text`);
	return changing;
}

/** git writes no hunks for unchanged and empty texts. */
function isChange({ hunks, isRename, isCopy, isCreate, isDelete }: StructuredPatch): boolean {
	return hunks.length > 0 || [isRename, isCopy, isCreate, isDelete].includes(true);
}

function nameIn(name: string | undefined): string | undefined {
	if (name === undefined || name === "/dev/null") return undefined;
	return name.replace(/^[ab]\//, "");
}

function invalid(why: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `The patch is no unified diff that can be applied: ${why}.`);
}
