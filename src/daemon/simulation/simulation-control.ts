import { resolve } from "node:path";
import { asLspError, LspError } from "../../contract/errors.ts";
import { smallestChange } from "../../lsp/smallest-change.ts";
import type { Committed } from "../../operations/simulate-commit.ts";
import { type NewText, planNewText } from "../../planning/new-text.ts";
import { PlannedTree } from "../../planning/planned-tree.ts";
import { workspaceOf } from "../../project/root.ts";
import { displayPath, inWorkspace } from "../../routing/locate.ts";
import { positionAt } from "../../util/positions.ts";
import type { Change } from "../../writer/change.ts";
import type { OperationCall } from "../operation-context.ts";
import { realDirectory } from "../service.ts";
import { keepPlan } from "../writing/keep-plan.ts";
import { type PreviewOptions, previewChange } from "./preview-change.ts";
import type { Preview } from "./preview-report.ts";
import { filesAfter, type Mirror, type Simulation, sizeOf } from "./simulation.ts";

type SimulatedChange = NonNullable<Committed["changes"]>[number];

/**
 * All methods reject with LSP_SESSION_NOT_FOUND, LSP_SESSION_STATE or LSP_FILE_CHANGED, those that edit also like
 * `planNewText`.
 */
export function simulationControl(call: OperationCall) {
	const { service, params, signal } = call;
	const { simulations } = service;
	const caller = async () => {
		await call.settings();
		const cwd = await realDirectory(params.cwd);
		return { cwd, workspace: await workspaceOf(cwd) };
	};
	type Work<T> = (session: Simulation, cwd: string) => Promise<T>;
	const use = async <T>(id: string, work: Work<T>): Promise<T> => {
		const { cwd, workspace } = await caller();
		return simulations.use(id, workspace, (session) => work(session, cwd), signal);
	};
	const planned = async (session: Simulation, files: Mirror["files"], cwd: string, edit?: NewText): Promise<Change> => {
		const tree = new PlannedTree({ workspace: session.workspace, encoding: "utf-16" });
		for (const { path, after } of files)
			if (after === undefined) await tree.delete(path, { ignoreIfNotExists: true });
			else await tree.write(path, after);
		const title = `session ${session.id}`;
		session.requireUnmoved(await tree.finish(title), files, (path) => displayPath(path, cwd));
		if (edit) await planNewText(edit, tree, (name) => resolve(cwd, name));
		const change = await tree.finish(title);
		const [move] = change.moves;
		if (move)
			throw new LspError("LSP_EDIT_REFUSED", `A session moves no file: ${displayPath(move.from, cwd)} would move.`);
		return change;
	};
	const editable = ["created", "mutated", "evaluated", "discarded"] as const;
	return {
		async begin(directory?: string) {
			const { cwd, workspace } = await caller();
			if (directory !== undefined) await inWorkspace(directory, { directory: cwd, workspace });
			const { session, ended } = await simulations.begin(workspace);
			return { session: session.id, workspace, ...(ended === undefined ? {} : { ended }) };
		},
		edit: (id: string, edit: NewText) =>
			use(id, async (session, cwd) => {
				session.require(editable, "edited");
				const change = await planned(session, session.files, cwd, edit);
				const files = filesAfter(change, session.files);
				simulations.requireRoom(session, sizeOf(files));
				session.edited(files, 1);
				return { edits: session.edits, files: files.map(({ path }) => displayPath(path, cwd)) };
			}),
		evaluate: (id: string, options: PreviewOptions) =>
			use(id, async (session, cwd) => {
				session.require(["mutated", "evaluated"], "evaluated");
				const found = await previewChange(call, await planned(session, session.files, cwd), options);
				session.became("evaluated");
				return found;
			}),
		/** Judges after each. An impossible one drops all. */
		chain: (id: string, edits: readonly NewText[], options: PreviewOptions) =>
			use(id, async (session, cwd) => {
				session.require(editable, "edited");
				const steps: Change[] = [];
				let files = session.files;
				for (const [index, edit] of edits.entries()) {
					const step = await planned(session, files, cwd, edit).catch((thrown: unknown) => {
						const { code, message, details } = asLspError(thrown);
						throw new LspError(code, `Step ${index + 1}: ${message}`, { ...details, step: index + 1 });
					});
					files = filesAfter(step, files);
					simulations.requireRoom(session, sizeOf(files));
					steps.push(step);
				}
				const found: Preview[] = [];
				for (const step of steps) found.push(await previewChange(call, step, options));
				session.edited(files, edits.length);
				session.became("evaluated");
				return found;
			}),
		/** `apply` keeps the change for `commit`. */
		commit: (id: string, apply: boolean) =>
			use(id, async (session, cwd) => {
				session.require(["mutated", "evaluated", ...(apply ? (["committed"] as const) : [])], "committed");
				const change = await planned(session, session.files, cwd);
				const onWritten = () => simulations.use(id, session.workspace, async (known) => known.became("committed"));
				const kept = await keepPlan(call, change, { cwd, dryRun: !apply, onWritten });
				const { diff } = kept.planned;
				if (!apply && /^Files .* differ$/m.test(diff))
					throw new LspError(
						"LSP_ANSWER_TOO_LARGE",
						"The texts are too large for a diff; {{simulate_commit}} can write them.",
					);
				if (!apply) session.became("committed");
				return { ...kept, diff, changes: change.files.map((file) => changeOf(file, cwd)) };
			}),
		discard: (id: string) =>
			use(id, async (session) => {
				session.require(editable, "discarded");
				session.discarded();
			}),
		async end(id: string) {
			await simulations.end(id, (await caller()).workspace);
		},
	};
}

function changeOf({ path, before, after }: Change["files"][number], cwd: string): SimulatedChange {
	const old = before?.toString("utf8") ?? "";
	const change = smallestChange(old, after?.toString("utf8") ?? "", "utf-16");
	const whole = { start: { line: 0, character: 0 }, end: positionAt(old.length, old, "utf-16") };
	const range = "range" in change ? change.range : whole;
	return {
		path: displayPath(path, cwd),
		line: range.start.line + 1,
		column: range.start.character + 1,
		endLine: range.end.line + 1,
		endColumn: range.end.character + 1,
		newText: change.text,
	};
}
