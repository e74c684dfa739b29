import type { Diagnostic, FileReport } from "../../contract/check-report.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import type { Located, Route } from "../../routing/locate.ts";
import type { Fault, FaultyFile } from "./fault.ts";
import { missingGoModules } from "./missing-go-modules.ts";
import { missingModules } from "./missing-modules.ts";
import { missingPackages } from "./missing-packages.ts";
import { outsideProject } from "./outside-project.ts";

const searches: Readonly<
	Record<"node" | "python" | "go", readonly ((file: FaultyFile) => Promise<readonly Fault[]>)[]>
> = {
	node: [outsideProject, missingPackages],
	python: [missingModules],
	go: [missingGoModules],
};

/** Most errors, at least two, must have the cause. */
export async function withEnvironment(
	report: FileReport,
	{ path, workspace, routes }: Located,
	running: (route: Route) => LanguageServer | undefined,
	signal: AbortSignal,
): Promise<FileReport> {
	const { diagnostics } = report;
	const errors = diagnostics.filter(isError).length;
	if (errors < 2) return report;
	for (const route of routes) {
		const server = running(route);
		const { ecosystem } = route.config;
		if (!server || !ecosystem) continue;
		for (const search of searches[ecosystem]) {
			const faults = await search({ path, workspace, diagnostics, server, signal }).catch(() => []);
			const most = faults.find(({ caused }) => {
				const count = caused.filter(isError).length;
				return count >= 2 && count * 2 > errors;
			});
			if (!most) continue;
			const caused = new Set(most.caused);
			return {
				...report,
				environment: most.sentence,
				diagnostics: diagnostics.map((found) => (caused.has(found) ? { ...found, environmental: true } : found)),
			};
		}
	}
	return report;
}

function isError({ severity }: Diagnostic): boolean {
	return severity === "error";
}
