import type { CheckReport, FileReport } from "../../contract/check-report.ts";
import { count } from "../count.ts";
import { editBlock, type OtherFiles } from "./diagnostics.ts";

export function causedErrorKeys({ path, role, diagnostics }: FileReport): string[] {
	const caused = diagnostics.filter((item) => item.new !== false || (role === "edited" && item.earlier));
	return caused.map(({ code, message }) => JSON.stringify([path, code, message]));
}

export function commandText(report: CheckReport, changed: number): string | undefined {
	const checked = report.files.filter(({ role, state }) => role === "edited" && state === "fresh").length;
	const part = checked < changed ? `, of which ${count(checked, "was", "were")} checked` : "";
	return editBlock(report, "full", `The command changed ${count(changed, "file", "files")}${part}.`);
}

/** `changed`: number of a command's files. */
export function lateText(report: CheckReport, others: OtherFiles, changed?: number): string | undefined {
	const block =
		changed === undefined
			? editBlock(report, others)
			: editBlock(report, "full", `The command changed ${count(changed, "file", "files")}.`);
	return block && `Checked late, from an earlier ${changed === undefined ? "edit" : "command"}: ${block}`;
}

export function turnText(report: CheckReport): string | undefined {
	const block = editBlock(report, "full");
	return block && `pi-lsp checked what this turn has changed. ${block}`;
}
