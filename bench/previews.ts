import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { CheckReport } from "../src/contract/check-report.ts";
import { connectDaemon, type DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import { judgementText } from "../src/render/answers/judgement.ts";
import { checkText } from "../src/render/check/diagnostics.ts";
import { pause } from "../src/util/abort.ts";
import { daemonOf } from "../test/daemon/daemon.ts";
import { withServers } from "../test/live/languages.ts";
import { ownMegabytes } from "../test/support/processes.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { checkFile, withDaemon } from "./daemon.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { goProject, type Project, pythonProject, typescript5Project, typescript7Project } from "./languages.ts";
import { type PreviewedEdit, previewedEdits } from "./previewed-edits.ts";
import { spreadOf, timed } from "./statistics.ts";

const projects: readonly (readonly [Project, number, string])[] = [
	[typescript7Project, 200, "typescript7"],
	[typescript5Project, 200, "typescript5"],
	[pythonProject, 100, "pyright"],
	[goProject, 100, "gopls"],
];
/** Of each of two agents. */
const each = 200;
const many = 1_000;
/** Single measurements vary by as much as the bar, since V8's heap grows and shrinks. */
const thousands = 5;
const kills = 100;

type Previewed = CheckReport & { readonly new: number; readonly fixed: number; readonly netDelta: number };

/** Previews compared with a check after the edit is written. */
const compare = projects.map(
	([project, count, name]): Benchmark => ({
		name: `previews-${name}`,
		...(project.program === undefined ? {} : { program: project.program }),
		run: (log) => {
			log(`${count} previews: ${project.language}`);
			return compareWithChecks(project, count);
		},
	}),
);

/** Previews of two agents at once, thousands in a row, and with a server that is killed repeatedly. */
const together: Benchmark = {
	name: "previews-together",
	run: async (log) => {
		log(`two agents, ${each} previews each, and a third that asks`);
		const figures = await askTogether(typescript7Project);
		log(`${(1 + thousands) * many} previews, and a server that is killed ${kills} times`);
		return [...figures, ...(await repeated(typescript7Project))];
	},
};

export const previews: readonly Benchmark[] = [...compare, together];

function preview(daemon: DaemonClient, cwd: string, { file, text }: PreviewedEdit): Promise<Previewed> {
	return daemon.call<Previewed>("preview", { cwd, input: { file, content: text, timeout: 60_000 } });
}

function compareWithChecks(project: Project, count: number): Promise<Figure[]> {
	return withWorkspace(project.files, (ws) =>
		withDaemon(ws, async (daemon) => {
			const times = { previews: [] as number[], checks: [] as number[] };
			let wrong = 0;
			let broken = 0;
			for (let n = 1; n <= count; n++) {
				const edit = previewedEdits(project, n);
				const path = join(ws.root, edit.file);
				const before = readFileSync(path, "utf8");
				const { ms, value } = await timed(() => preview(daemon, ws.root, edit));
				if (readFileSync(path, "utf8") !== before) wrong++;
				writeFileSync(path, edit.text);
				const check = await timed(() => checkFile(daemon, ws.root, edit.file));
				const input = { files: [edit.file], scope: "affected", timeout: 60_000 };
				const written = await daemon.call<CheckReport>("check", { cwd: ws.root, input });
				const previewed = [linesOf(value), shownLines(judgementText(value))];
				const checked = [linesOf(written), shownLines(checkText(written))];
				if (previewed.join("\n") !== checked.join("\n")) {
					wrong++;
					const difference = `${edit.file}, ${n}:\n${previewed.join("\n")}\n--\n${checked.join("\n")}\n`;
					if (wrong === 1) process.stderr.write(difference);
				}
				if (written.files.some(({ role, diagnostics }) => role === "affected" && diagnostics.length > 0)) broken++;
				writeFileSync(path, before);
				if (n > 10 && !edit.breaksOthers) {
					times.previews.push(ms);
					times.checks.push(check.ms);
				}
			}
			const { language } = project;
			return [
				wrongAnswers(`${language}: previews that differ from the check (${broken} break importers)`, wrong, count),
				compared(`${language}: a preview, against a check of the file`, times.checks, times.previews, {
					factor: 2.2,
					plus: 0,
				}),
			];
		}),
	);
}

/** The states and errors of a report, with their declarations, one per line. */
function linesOf({ files, omitted }: CheckReport): string {
	return files
		.flatMap(({ path, role, state, diagnostics }) => [
			...(state === "fresh" ? [] : [`${path} ${state}`]),
			...diagnostics
				.filter(({ severity }) => severity === "error")
				.map(({ line, column, endLine, endColumn, code, source, message, declared }) => {
					const declaration = declared ? `${declared.path}:${declared.line} ${declared.text}` : "";
					return [role, path, line, column, endLine, endColumn, source, code, message, declaration].join(" ");
				}),
		])
		.concat(omitted.files > 0 ? [`${omitted.files} omitted`] : [])
		.sort()
		.join("\n");
}

/** The lines inside `<diagnostics>`, each prefixed with its file. */
function shownLines(text: string): string {
	const blocks = text.match(/<diagnostics.*?<\/diagnostics>/gs) ?? [];
	const lines = blocks.flatMap((block) => {
		const [file, ...found] = block.split("\n").slice(0, -1);
		return found.map((line) => `${file} ${line}`);
	});
	return lines.sort().join("\n");
}

function askTogether(project: Project): Promise<Figure[]> {
	return withWorkspace(project.files, async (ws) => {
		const clients = await Promise.all([1, 2, 3].map(() => connectDaemon(withServers(ws.env))));
		try {
			const [first, second, third] = clients as [DaemonClient, DaemonClient, DaemonClient];
			const one = previewedEdits(project, 3);
			const before = project.files[one.file] ?? "";
			const other = { ...one, text: before.replace("amount: number", "amount: boolean") };
			const input = { file: one.file, symbol: "Contract.amount" };
			const calm = (method: string) => third.call<object>(method, { cwd: ws.root, input });
			const expected = {
				one: linesOf(await preview(first, ws.root, one)),
				other: linesOf(await preview(second, ws.root, other)),
			};
			const known = { hover: withoutTimes(await calm("hover")), references: withoutTimes(await calm("references")) };
			const wrong = { previews: 0, questions: 0, asked: 0 };
			let isDone = false;
			const previewing = async (client: DaemonClient, edit: PreviewedEdit, right: string) => {
				for (let n = 0; n < each; n++) if (linesOf(await preview(client, ws.root, edit)) !== right) wrong.previews++;
			};
			const asking = async () => {
				while (!isDone)
					for (const method of ["hover", "references"] as const) {
						if (withoutTimes(await calm(method)) !== known[method]) wrong.questions++;
						wrong.asked++;
					}
			};
			const questions = asking();
			await Promise.all([previewing(first, one, expected.one), previewing(second, other, expected.other)]);
			isDone = true;
			await questions;
			const changed = Object.entries(project.files).filter(
				([name, text]) => readFileSync(join(ws.root, name), "utf8") !== text,
			);
			return [
				wrongAnswers("two agents at once: previews with the other agent's errors", wrong.previews, 2 * each),
				wrongAnswers(
					"two agents at once: questions of a third that were answered from an overlay",
					wrong.questions,
					wrong.asked,
				),
				wrongAnswers("two agents at once: files that changed", changed.length, Object.keys(project.files).length),
			];
		} finally {
			for (const client of clients) client.close();
		}
	});
}

function withoutTimes(answer: object): string {
	return JSON.stringify(answer, (key, value: unknown) => (key === "ms" ? undefined : value));
}

function repeated(project: Project): Promise<Figure[]> {
	return withWorkspace(project.files, (ws) =>
		withDaemon(ws, async (daemon) => {
			const edit = previewedEdits(project, 1);
			const right = linesOf(await preview(daemon, ws.root, edit));
			const wrongOf = async (count: number) => {
				let wrong = 0;
				for (let n = 0; n < count; n++) if (linesOf(await preview(daemon, ws.root, edit)) !== right) wrong++;
				return wrong;
			};
			// V8's heap grows until a full collection, after about 700 previews.
			await wrongOf(many);
			const before = await megabytesAtRest(daemonOf(ws).pid);
			let wrong = 0;
			const grown: number[] = [];
			for (let thousand = 1; thousand <= thousands; thousand++) {
				wrong += await wrongOf(many);
				grown.push((await megabytesAtRest(daemonOf(ws).pid)) - before);
			}
			let during = 0;
			let afterwards = 0;
			for (let n = 0; n < kills; n++) {
				// After the third crash within three minutes a server is started only after 4 s, or at once by a restart.
				if (n % 2 === 0) await daemon.call("restart", { cwd: ws.root, input: {} });
				await wrongOf(1);
				const { servers } = await daemon.call<Status>("status", { cwd: ws.root, input: {} });
				const dying = preview(daemon, ws.root, edit).then(linesOf, () => "failed");
				await pause(n % 12);
				for (const { pid } of servers) if (pid !== undefined) process.kill(pid, "SIGKILL");
				if (![right, "failed"].includes(await dying)) during++;
				if (linesOf(await preview(daemon, ws.root, edit)) !== right) afterwards++;
			}
			return [
				wrongAnswers("previews in a row: wrong answers", wrong, thousands * many),
				{
					what: "growth of the daemon, after each thousand of them",
					unit: "MB",
					ours: spreadOf(grown),
					bar: { text: "5 MB", limit: 5 },
				},
				wrongAnswers("a server is killed: the previews meanwhile", during, kills),
				wrongAnswers("a server is killed: the next previews", afterwards, kills),
			];
		}),
	);
}

interface Status {
	readonly servers: readonly { readonly pid?: number }[];
}

/** The minimum within half a minute: V8 frees memory when idle. */
async function megabytesAtRest(pid: number): Promise<number> {
	let least = ownMegabytes(pid);
	for (let second = 0; second < 30; second++) {
		await pause(1000);
		least = Math.min(least, ownMegabytes(pid));
	}
	return least;
}
