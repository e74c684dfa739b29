import type { Position, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { Files } from "../../test/support/workspace.ts";
import { counted, type Figure, wrongAnswers } from "../figures.ts";
import { Random } from "../truth/random.ts";
import { editsByFile, textsAfter } from "./server-edit.ts";
import {
	change,
	differing,
	type Extent,
	moreIn,
	restore,
	type Stage,
	treeOf,
	treeOfFiles,
	withStage,
} from "./stage.ts";
import type { ChangeSubject } from "./subjects.ts";

/** The results of the renames of a package. */
class Tally {
	done = 0;
	places = 0;
	files = 0;
	/** The server renames the symbol, but pi-lsp did not. */
	refused = 0;
	/** The bytes on disk differ from the server's edit. */
	bytes = 0;
	/** The compiler finds a new error, and the answer reported one. */
	reported = 0;
	/** The compiler finds a new error, but the answer reported none. */
	unreported = 0;
	/** The answer had exit code 1, but the compiler finds no new error. */
	alarms = 0;
	/** The answer had exit code 3, but the compiler finds no new error. */
	unproven = 0;
	/** The tree after `undo` differs from the one before. */
	left = 0;
}

/** Renames, at places drawn with a seed, in the files of a package. */
export function renames(subject: ChangeSubject, { each, seed, isOver, log }: Extent): Promise<Figure[]> {
	return withStage(subject, async (stage) => {
		const tally = new Tally();
		const random = new Random(seed);
		const before = await stage.judge();
		log(`${subject.name}: ${Object.keys(stage.files).length} files`);
		for (let tries = 0; tally.done < each && tries < each * 20 && !isOver(); tries++) {
			const place = placeIn(stage.files, subject, random);
			if (!place) continue;
			const newName = nameFor(place.name, tries);
			const edit = await editOfServer(stage, place, newName);
			if (!edit) continue;
			tally.done++;
			const note = (what: string) =>
				log(`  ${place.file}:${place.line + 1}:${place.character + 1} ${place.name} → ${newName}: ${what}`);
			const input = { file: place.file, line: place.line + 1, column: place.character + 1, new_name: newName };
			const outcome = await change(stage, "rename", input);
			if ("refused" in outcome) {
				tally.refused++;
				note(`refused: ${outcome.refused.message}`);
				continue;
			}
			const { output, exitCode } = outcome;
			const expected = { ...stage.files, ...edit.texts };
			const wrong = differing(treeOf(stage.root), treeOfFiles(expected));
			if (wrong.length > 0) {
				tally.bytes++;
				note(`bytes that differ from the server's edit in ${wrong.join(", ")}`);
			}
			tally.places += edit.places;
			tally.files += Object.keys(edit.texts).length;
			const fresh = moreIn(flat((await stage.judge()).errors), flat(before.errors));
			if (fresh.length > 0 && exitCode !== 0) {
				tally.reported++;
				note(`exit ${exitCode}, the server's own fault: ${fresh.slice(0, 2).join("; ")}`);
			} else if (fresh.length > 0) {
				tally.unreported++;
				note(`exit ${exitCode}, but the compiler finds ${fresh.slice(0, 3).join("; ")}`);
			} else if (exitCode !== 0) {
				if (exitCode === 3) tally.unproven++;
				else tally.alarms++;
				note(`exit ${exitCode}, and the compiler finds nothing new: ${unproven(output)}`);
			}
			await change(stage, "undo", output.undo === undefined ? {} : { id: output.undo });
			const rest = differing(treeOf(stage.root), treeOfFiles(stage.files));
			if (rest.length > 0) {
				tally.left++;
				note(`another tree after undo: ${rest.join(", ")}`);
				restore(stage);
			}
		}
		log(`  ${tally.done} renames, ${tally.places} places in ${tally.files} files`);
		const { name } = subject;
		return [
			wrongAnswers(`${name}: renames refused, though the server makes them`, tally.refused, tally.done),
			wrongAnswers(`${name}: bytes that differ from the server's edit`, tally.bytes, tally.done),
			wrongAnswers(`${name}: newly broken, and not reported`, tally.unreported, tally.done),
			counted(`${name}: newly broken by the server's edit, and reported`, tally.reported, tally.done),
			counted(`${name}: reported as broken, but the compiler finds nothing`, tally.alarms, tally.done),
			counted(`${name}: reported as unproven, but the compiler finds nothing`, tally.unproven, tally.done),
			wrongAnswers(`${name}: trees that undo does not restore`, tally.left, tally.done),
		];
	});
}

function flat(errors: ReadonlyMap<string, ReadonlySet<string>>): string[] {
	return [...errors].flatMap(([file, each]) => [...each].map((error) => `${file} ${error}`));
}

/** The findings and unproven files of an answer. */
function unproven({
	check,
}: {
	readonly check?: { readonly files: readonly object[]; readonly omitted: object } | undefined;
}): string {
	const files = (check?.files ?? []) as readonly {
		path: string;
		state: string;
		reason?: string;
		diagnostics: readonly { message: string; severity: string; new?: boolean }[];
	}[];
	const odd = files.flatMap(({ path, state, reason = "", diagnostics }) => [
		...(state === "fresh" ? [] : [`${path} ${state} ${reason}`]),
		...diagnostics
			.filter((each) => each.severity === "error" && each.new !== false)
			.map(({ message }) => `${path} ${message}`),
	]);
	return `${odd.slice(0, 3).join("; ")} ${JSON.stringify(check?.omitted)}`.slice(0, 300);
}

interface Place extends Position {
	readonly file: string;
	readonly name: string;
}

const words = /[A-Za-z_$][\w$]*/g;

/** Any word of any source, except on lines that look like comments. */
function placeIn(files: Files, { isSource }: ChangeSubject, random: Random): Place | undefined {
	const file = random.pick(Object.keys(files).filter(isSource)) ?? "";
	const lines = (files[file] ?? "").split("\n");
	const line = random.below(lines.length);
	const text = lines[line] ?? "";
	if (/^\s*(?:\/\/|\/?\*|#)/.test(text)) return undefined;
	const found = random.pick(
		[...text.matchAll(words)].filter(({ 0: word, index }) => word.length > 1 && text[index - 1] !== "#"),
	);
	return found && { file, line, character: found.index, name: found[0] };
}

/** An unused name, exported or private as the old one. */
function nameFor(name: string, n: number): string {
	const lead = /^_*/.exec(name)?.[0] ?? "";
	const isUpper = /^[A-Z]/.test(name.slice(lead.length));
	return `${lead}${isUpper ? "Other" : "other"}Name${n}`;
}

/** The texts after the bare server's edit; undefined if the server renames nothing here, or also changes files. */
async function editOfServer({ bare, files }: Stage, { file, name: _, ...position }: Place, newName: string) {
	let edit: WorkspaceEdit | null;
	try {
		edit = await bare.ask<WorkspaceEdit | null>("textDocument/rename", file, { position, newName });
	} catch {
		return undefined;
	}
	const texts = textsAfter(bare, files, edit);
	const places = [...(editsByFile(bare, edit)?.values() ?? [])].reduce((sum, edits) => sum + edits.length, 0);
	return texts && { texts, places };
}
