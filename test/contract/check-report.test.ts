import { expect, test } from "vitest";
import { limitDiagnostics } from "../../src/contract/check-report.ts";
import { error, file, report } from "../render/reports.ts";

test("A limit keeps the most severe diagnostics, in their order, and counts the others", () => {
	const hint = error(1, { severity: "hint" });
	const warning = error(2, { severity: "warning" });
	const own = file("a.ts", [hint, error(3), warning, error(4)]);
	const clean = file("c.ts", []);
	const limited = limitDiagnostics(report(own, file("b.ts", [hint]), clean), 3);
	expect(limited.files).toEqual([{ ...own, diagnostics: [error(3), warning, error(4)] }, clean]);
	expect(limited.omitted.diagnostics).toBe(2);
});
