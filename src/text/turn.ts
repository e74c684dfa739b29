import type { CheckReport, FileReport } from "../findings.ts";
import { editBlock } from "./diagnostics.ts";

/** A name for each error that a session caused, the same wherever its line has moved to. */
export function causedErrors({ path, role, diagnostics }: FileReport): string[] {
	const caused = diagnostics.filter((item) => item.new !== false || (role === "edited" && item.earlier));
	return caused.map(({ code, message }) => JSON.stringify([path, code, message]));
}

/** The block for a shell command that changed files; `more` of them were not looked at. */
export function commandText(report: CheckReport, more: number): string | undefined {
	const checked = report.files.filter(({ role }) => role === "edited").length;
	const total = checked + more;
	const counted = `The command changed ${total} ${total === 1 ? "file" : "files"}${more ? `, of which ${checked} were checked` : ""}.`;
	return editBlock(report, "full", counted);
}

/** The one message that makes an agent go on at the end of its turn, or undefined if there is nothing to say. */
export function turnText(report: CheckReport): string | undefined {
	const block = editBlock(report, "full");
	return block && `pi-lsp checked what this turn has changed. ${block}`;
}
