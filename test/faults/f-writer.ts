import { subjects } from "../../bench/truth/subjects.ts";
import { judge } from "../../bench/truth.ts";
import { must, type Row, test } from "./row.ts";

const seed = 7;
const edits = 300;

/** Seeded edits by five clients, each compared with the compiler; the server is killed four times. */
async function compared(name: string): Promise<string> {
	const subject = subjects(seed).find((each) => each.name === name);
	if (!subject) throw new Error(`there is no project ${name}`);
	const heard: string[] = [];
	const tally = await judge(subject, seed, edits, (line) => heard.push(line));
	const { editedAnswers, editedWrong, invented, askedFiles, askedWrong, unproven, missing, compilerErrors } = tally;
	const wrong = `${editedWrong} wrong in the edited file, ${invented} invented, ${askedWrong} wrong where asked`;
	// Missing diagnostics may come late; they are judged below.
	const telling = heard.filter((line) => /WRONG| invented /.test(line));
	must(editedWrong + invented + askedWrong === 0, `${wrong}: ${telling.slice(0, 5).join(" ")}`);
	must(missing <= compilerErrors / 100, `${missing} of ${compilerErrors} errors were not reported`);
	must(unproven <= editedAnswers / 100, `${unproven} of ${editedAnswers} answers proved nothing`);
	return `${edits} edits, ${editedAnswers} answers and ${askedFiles} files as the compiler has them, ${missing} of ${compilerErrors} errors elsewhere not reported`;
}

/** Group F: reports on texts, and writes, are exact. */
export const writer: readonly Row[] = [
	{
		id: "F1",
		title: "seeded edits of TypeScript against the compiler, 5 clients, the server killed",
		run: () => compared("generated, TypeScript 7"),
	},
	{
		id: "F2",
		title: "seeded edits of Python against the compiler, 5 clients, the server killed",
		run: () => compared("generated, pyright"),
	},
	{
		id: "F3",
		title: "a change of many files fails at the k-th call of the disk, for every k",
		run: {
			tests: test(
				"writer/commit",
				"at whichever call of the disk it fails",
				"the next start takes back what could not be taken back at once",
				"if a file has other content than the one that it was planned on",
				"if a file is missing, or one exists at the path of a new one",
				"if a file is read-only",
			),
		},
	},
	{
		id: "F4",
		title: "positions there and back: astral, combining, CRLF, a byte order mark, past the end",
		run: {
			tests: [
				...test(
					"util/positions",
					"each of 100,000 positions is converted to a server's position and back unchanged, in every encoding",
				),
				...test("planning/planned-tree", "keep the byte order mark and the line ends of the file"),
			],
		},
	},
	{
		id: "F5",
		title: "overlapping, unsorted and reversed ranges, stale versions, resource operations with their options",
		run: {
			tests: test(
				"planning/planned-tree",
				"all refer to the original text, in any order",
				"are applied in their order if they have the same position",
				"are applied in their order",
				"follow the protocol with `overwrite` and `ignoreIfExists`",
				"for another version of a document than the server has",
				"with snippets, for other schemes, for missing files and for directories",
			),
		},
	},
	{
		id: "F6",
		title: "kill -9 of the writer, and of the face, before every call of the disk",
		run: {
			tests: [
				...test(
					"writer/killed",
					"A writer that is killed before any of its calls of the disk leaves all old or all new files after the next start",
				),
				...test(
					"writing/killed-faces",
					"A face that is killed at any step of the write leaves the daemon to complete it, and the next face can take it back",
					"A face without a daemon that is killed at any step of its own write leaves all old or all new files after the next start",
				),
			],
		},
	},
	{
		id: "F7",
		title: "the target is a symbolic link, a hard link, has a mode",
		run: {
			tests: test(
				"writer/commit",
				"with moves, new and deleted files, modes, symbolic and hard links, and no temporary file is left",
			),
		},
	},
	{
		id: "F8",
		title: "an edit outside of the root: absolute, `..`, a like name, a linked directory, another scheme",
		run: {
			tests: test(
				"planning/planned-tree",
				"outside of the workspace, also through a link",
				"in installed packages and in version control",
				"with snippets, for other schemes, for missing files and for directories",
			),
		},
	},
	{
		id: "F9",
		title: "a server requests an edit without a command",
		run: {
			tests: test("writing/execute-command", "an edit that a server requests when no command runs is not written"),
		},
	},
	{
		id: "F10",
		title: "two changes at once of one file",
		run: {
			tests: test(
				"writer/commit",
				"Of two concurrent changes the second one waits, and is refused if it was planned on the old text",
			),
		},
	},
];
