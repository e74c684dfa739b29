import type { CheckReport, FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { editBlock, type OtherFiles } from "./diagnostics.ts";

/** A key for each error that the session caused, independent of its line. */
export function causedErrorKeys({ path, role, diagnostics }: FileReport): string[] {
	const caused = diagnostics.filter((item) => item.new !== false || (role === "edited" && item.earlier));
	return caused.map(({ code, message }) => JSON.stringify([path, code, message]));
}

/** The block for a shell command that changed `changed` files. */
export function commandText(report: CheckReport, changed: number): string | undefined {
	const checked = report.files.filter(({ role, state }) => role === "edited" && state === "fresh").length;
	const part = checked < changed ? `, of which ${count(checked, "was", "were")} checked` : "";
	return editBlock(report, "full", `The command changed ${count(changed, "file", "files")}${part}.`);
}

/** A late report; `changed` is the number of files if the call was a shell command. */
export function lateText(report: CheckReport, others: OtherFiles, changed?: number): string | undefined {
	// A late report contains only files with errors, so it cannot say how many were checked.
	const block =
		changed === undefined
			? editBlock(report, others)
			: editBlock(report, "full", `The command changed ${count(changed, "file", "files")}.`);
	return block && `Checked late, from an earlier ${changed === undefined ? "edit" : "command"}: ${block}`;
}

/** The message that makes an agent continue at the end of its turn; undefined without errors. */
export function turnText(report: CheckReport): string | undefined {
	const block = editBlock(report, "full");
	return block && `pi-lsp checked what this turn has changed. ${block}`;
}
