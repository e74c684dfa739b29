import type { CheckReport, FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { editBlock, type OtherFiles } from "./diagnostics.ts";

/** A name for each error that a session caused, the same wherever its line has moved to. */
export function causedErrors({ path, role, diagnostics }: FileReport): string[] {
	const caused = diagnostics.filter((item) => item.new !== false || (role === "edited" && item.earlier));
	return caused.map(({ code, message }) => JSON.stringify([path, code, message]));
}

/** The block for a shell command that changed so many files. */
export function commandText(report: CheckReport, changed: number): string | undefined {
	const checked = report.files.filter(({ role, state }) => role === "edited" && state === "fresh").length;
	const part = checked < changed ? `, of which ${count(checked, "was", "were")} checked` : "";
	return editBlock(report, "full", `The command changed ${count(changed, "file", "files")}${part}.`);
}

/** What came after the result of its call had gone to the agent; `changed` if that call was a shell command. */
export function lateText(report: CheckReport, others: OtherFiles, changed?: number): string | undefined {
	// Such a report is of what is wrong alone: how many files were checked it does not say.
	const block =
		changed === undefined
			? editBlock(report, others)
			: editBlock(report, "full", `The command changed ${count(changed, "file", "files")}.`);
	return block && `Checked late, from an earlier ${changed === undefined ? "edit" : "command"}: ${block}`;
}

/** The one message that makes an agent go on at the end of its turn, or undefined if there is nothing to say. */
export function turnText(report: CheckReport): string | undefined {
	const block = editBlock(report, "full");
	return block && `pi-lsp checked what this turn has changed. ${block}`;
}
