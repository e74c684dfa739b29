import type { CheckReport } from "../../contract/check-report.ts";
import { oneLineOutside } from "../escape.ts";

export function passedLines({ passedOver = [] }: CheckReport): string[] {
	return passedOver.map(({ reason, files, paths }) => {
		const more = files > paths.length ? ` and ${files - paths.length} more` : "";
		return `Passed over (${oneLineOutside(reason)}): ${paths.map(oneLineOutside).join(", ")}${more}`;
	});
}

export function passedCount({ passedOver = [] }: CheckReport): number {
	return passedOver.reduce((sum, { files }) => sum + files, 0);
}
