import { relative, resolve, sep } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import type { CheckReport } from "../../contract/check-report.ts";
import { repositoryOf } from "../../project/workspace-of.ts";
import type { FormatContext } from "../../render/formats/format.ts";
import { type FormatName, textFormats } from "../../render/formats/index.ts";
import { pretty } from "../../render/formats/pretty.ts";
import { harmlessData } from "../../render/harmless.ts";
import { hashOf } from "../../util/hash.ts";
import { isInside } from "../../util/paths.ts";
import { linesOf } from "../../util/positions.ts";
import { anySource, readTextNow } from "../../util/read-file.ts";
import { print, printJson, printJsonText, printStyled } from "./print.ts";

export interface Places extends Omit<FormatContext, "ms" | "known"> {
	readonly top: string;
}

export async function printReport(
	report: CheckReport,
	format: FormatName,
	context: FormatContext,
	ownText: (report: CheckReport) => string,
): Promise<void> {
	const text = textFormats[format];
	if (format === "json") printJson(report);
	else if (format === "agent") print(ownText(harmlessData(report)));
	else if (!text) printStyled(pretty(report, context));
	else if (format === "sarif" || format === "gitlab") printJsonText(text(report, context));
	else print(text(report, context));
}

export async function placesOf(cwd: string): Promise<Places> {
	const top = (await repositoryOf(cwd)) ?? cwd;
	let last: { readonly path: string; readonly lines: readonly string[] } | undefined;
	return {
		top,
		version: manifest.version,
		fromTop(path) {
			const full = resolve(cwd, path);
			return isInside(full, top) ? relative(top, full).split(sep).join("/") : full;
		},
		sourceLine(path, line) {
			if (last?.path !== path) last = { path, lines: linesOf(readTextNow(resolve(cwd, path), anySource) ?? "") };
			return last.lines[line - 1];
		},
		hash: (text) => hashOf(text, 32),
	};
}
