import type { Diagnostic } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { preferredAction } from "../contract/preferred-action.ts";
import { t } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { FixedFile } from "../daemon/writing/fix-all.ts";
import type { FileQuery } from "../query/file-query.ts";
import { writtenText } from "../render/answers/written.ts";
import { count } from "../render/count.ts";
import { actionCalled, titlesOf } from "./common/choose-action.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

export const fix = defineOperation({
	name: "fix",
	title: "Fix an error",
	description:
		"Fixes an error as its server prefers: on a line, the first, or with `all` every one in the file or directory, checked after each. Shows the diff, what is still wrong, and what undoes it.",
	effect: "write",
	core: true,
	requests: ["textDocument/codeAction"],
	input: t.object({
		file: t.text("Path, PATH:LINE, or what an error offered: f3"),
		line: t.optional.positive("1-based"),
		code: t.optional.text("Only errors with this code: 2304"),
		all: t.optional.flag("Every one, not only the first"),
		...changeInput,
	}),
	output: t.object({
		...Written,
		fixes: t.texts("The titles of the fixes"),
		left: t.optional.integer("With `all`: how many have no fix that mends them"),
	}),
	positional: ["file"],
	example: {
		input: { file: "src/app.ts", line: 3 },
		output: {
			fixes: ['Add import from "./greet.ts"'],
			written: ["src/app.ts"],
			diff: '--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1,1 +1,2 @@\n+import { greet } from "./greet.ts";\n greet();\n',
			undo: "u7",
		},
	},
	async run({ file: given, line: lineGiven, code, all = false, dry_run: dryRun }, on) {
		const [, path, at] = /^(.+):(\d+)$/s.exec(given) ?? [];
		const file = path ?? given;
		if (/^f\d+$/.test(given)) return offeredFix(given);
		const line = lineGiven ?? (at === undefined ? undefined : Number(at));
		const isWanted = (each: Diagnostic) =>
			(code === undefined || String(each.code) === code) &&
			(line === undefined || (each.range.start.line < line && each.range.end.line >= line - 1));
		if (!all) return on.ask({ file, linters: true }, oneFix);
		const { files, notes } = await filesToFix(file, code, on);
		const fixed: FixedFile[] = [];
		for (const each of files) fixed.push(await on.edits.fixAll(each, { isWanted, choose: preferredAction }));
		const [first, ...more] = fixed;
		if (!first) throw noSuchError(`No file below ${file} has such an error.`, notes);
		const titles = fixed.flatMap((each) => each.titles);
		const left = fixed.reduce((sum, each) => sum + each.left, 0);
		if (titles.length === 0 && left === 0) throw noSuchError(`${shownPath(first)} has no such error.`);
		if (titles.length === 0) throw nothingToFix(first.asked, "None of them has one fix that mends it.");
		const title = `fix ${count(titles.length, "diagnostic", "diagnostics")} in ${more.length > 0 ? file : shownPath(first)}`;
		const planned = await on.edits.planFixes([first, ...more], { title, dryRun });
		return { ...writtenAnswer(planned, notes), fixes: titles, left };

		async function offeredFix(name: string) {
			const { path: fixed, hash, server, title, ...at } = on.edits.offered(name);
			const work = async (query: FileQuery) => {
				if (query.server.config.id !== server)
					throw new LspError("LSP_UNSUPPORTED_REQUEST", `${name} is a fix of ${server}.`);
				if (query.document.hash !== hash) {
					const changed = `${query.displayPath(fixed)} has changed since ${name} was offered.`;
					throw new LspError("LSP_FILE_CHANGED", changed, { file_path: fixed });
				}
				const diagnostic = (await query.diagnostics()).find(({ range, code: own }) => {
					const spot = query.toSpot(range.start);
					return (
						spot.line === at.line && spot.column === at.column && (own === undefined ? "" : String(own)) === at.code
					);
				});
				if (!diagnostic) throw nothingToFix(query, "The error is gone.");
				const actions = await query.codeActions(diagnostic.range, { kind: "quickfix", diagnostics: [diagnostic] });
				const planned = await on.edits.planAction(query, actionCalled(title, actions, query), { title, dryRun });
				return { ...writtenAnswer(planned), fixes: [title] };
			};
			return on.ask({ file: fixed, linters: true }, work);
		}

		async function oneFix(query: FileQuery) {
			const wanted = (await query.diagnostics()).filter(isWanted);
			if (wanted.length === 0) throw noSuchError(`${query.displayPath(query.document.path)} has no such error.`);
			const several: string[] = [];
			for (const diagnostic of wanted.sort((a, b) => (a.severity ?? 1) - (b.severity ?? 1))) {
				const actions = await query.codeActions(diagnostic.range, { kind: "quickfix", diagnostics: [diagnostic] });
				const action = preferredAction(actions);
				if (!action && actions.length > 0) several.push(titlesOf(actions));
				if (!action) continue;
				const { title } = action;
				const planned = await on.edits.planAction(query, action, { title: `fix: ${title}`, dryRun });
				return { ...writtenAnswer(planned), fixes: [title] };
			}
			const choice = several.length > 0 ? `Choose with {{apply_code_action}}: ${several[0]}.` : "";
			throw nothingToFix(query, choice);
		}
	},
	render(output) {
		const { fixes, left = 0 } = output;
		const titles = [...new Set(fixes)];
		const which = titles.length === 1 ? titles[0] : `${titles.slice(0, 3).join("; ")}${titles.length > 3 ? "; …" : ""}`;
		const rest = left > 0 ? ` · ${left} left` : "";
		return writtenText(`fixed ${count(fixes.length, "diagnostic", "diagnostics")}: ${which}${rest}`, output);
	},
	exitCode: exitCodeOfWritten,
});

async function filesToFix(path: string, code: string | undefined, on: OperationContext) {
	const selected = await on.select({ files: [path] });
	const [only = path, ...more] = selected.files;
	if (only === path && more.length === 0) return { files: [path], notes: [] };
	const report = await on.checkSelected(selected, { scope: "file", severity: "hint" });
	const failing = report.files.filter(({ diagnostics }) =>
		diagnostics.some((each) => code === undefined || each.code === code),
	);
	const unproven = report.files.filter(({ state }) => state !== "fresh").length + report.omitted.files;
	return {
		files: failing.map((file) => file.path),
		notes: unproven > 0 ? [`${count(unproven, "file was", "files were")} not checked for errors.`] : [],
	};
}

function shownPath({ asked }: FixedFile): string {
	return asked.displayPath(asked.document.path);
}

function noSuchError(message: string, notes: readonly string[] = []): LspError {
	const suggestion = [...notes, "{{check}} says what is wrong."].join(" ");
	return new LspError("LSP_UNSUPPORTED_REQUEST", message, { suggestion });
}

function nothingToFix({ server }: FileQuery, suggestion: string): LspError {
	const message = `${server.config.id} has no fix that it prefers here.`;
	return new LspError("LSP_UNSUPPORTED_REQUEST", message, {
		suggestion: suggestion || "{{code_actions}} lists what it offers.",
	});
}
