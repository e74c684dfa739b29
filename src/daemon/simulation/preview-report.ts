import { createHash } from "node:crypto";
import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	limitSize,
	mergeReports,
	withSeverity,
} from "../../contract/check-report.ts";
import { withEnvironment } from "../../diagnostics/environment/environment-fault.ts";
import { bytesOf, type PreviewedFile } from "../../diagnostics/preview.ts";
import { ownReport, reportOf } from "../../diagnostics/reports.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { displayPath } from "../../routing/locate.ts";
import type { Change } from "../../writer/change.ts";
import { withWithheld } from "../check-edit.ts";
import type { OperationCall } from "../operation-context.ts";
import type { Judges } from "./judges.ts";
import { type Found, judgesOf } from "./preview-at-server.ts";

type MendedError = Pick<Diagnostic, "line" | "column" | "severity" | "code" | "source" | "message"> & {
	readonly path: string;
};

export interface Preview {
	readonly report: CheckReport;
	readonly mended: readonly MendedError[];
	/** SHA-256 of files' bytes, by displayed path. */
	readonly judged: Readonly<Record<string, string>>;
}

interface Judged {
	readonly judges: Judges;
	readonly found: ReadonlyMap<string, Found>;
	readonly unknown: readonly CheckReport[];
}

const maxMended = 100;

export async function previewReport(
	call: OperationCall,
	change: Change,
	{ judges, found, unknown }: Judged,
): Promise<Preview> {
	const { directory: cwd, severity } = await call.settings();
	const all = [...found.values()];
	const proofs = all.flatMap((each) => each.proofs);
	const proven = new Set(proofs.map(({ proof }) => proof.path));
	const hidden = new Set(all.flatMap((each) => each.hidden));
	const gone = judges.gone
		.filter(({ path }) => hidden.has(path))
		.map(({ display }) => reportOf([{ path: display, role: "edited", state: "fresh", diagnostics: [] }], [], [], cwd));
	const others = all.map(({ others: files, asked, unknown: unjudged }) => ({
		files: files
			.filter(({ fixed, diagnostics }) => fixed.length > 0 || diagnostics.some((item) => item.new !== false))
			.map((file) => ({ ...file, fixed: file.fixed.length, revision: 0 })),
		missed: asked.filter((path) => !proven.has(path) && !unjudged.some((each) => each.path === path)),
		changes: [],
	}));
	const unasked = { files: [], missed: judges.unasked, changes: [] };
	const unproven = [...judges.unknown, ...all.flatMap((each) => each.unknown)].map(({ path, ...file }): FileReport => {
		return { path: displayPath(path, cwd), role: "affected", ...file, diagnostics: [] };
	});
	const merged = mergeReports([
		...(await editedReports(call, judges, found)),
		...judges.unlocated,
		...unknown,
		...gone,
		reportOf([], [...others, unasked], [], cwd),
		reportOf(unproven, [], [], cwd),
	]);
	return {
		report: limitSize(withSeverity(merged, severity)),
		mended: mendedIn(proofs, cwd),
		judged: await hashesOf(proofs, change, cwd),
	};
}

async function editedReports(
	call: OperationCall,
	{ edited }: Judges,
	found: ReadonlyMap<string, Found>,
): Promise<CheckReport[]> {
	const { service, signal } = call;
	const { directory: cwd } = await call.settings();
	const reports = edited.map(async (located) => {
		const findings = judgesOf(located).flatMap((route) => found.get(entryKey(route))?.edited.get(located.path) ?? []);
		const servers = findings.map(({ server }) => server);
		const own = ownReport(located, findings);
		const explained = await withEnvironment(own, located, (route) => service.pool.running(route), signal);
		return withWithheld(reportOf([explained], [], servers, cwd), located);
	});
	return Promise.all(reports);
}

function mendedIn(proofs: readonly PreviewedFile[], cwd: string): MendedError[] {
	const mended = proofs.flatMap(({ proof: { path }, fixed }) =>
		fixed.map(({ line, column, severity, code, source, message }) => ({
			...{ path: displayPath(path, cwd), line, column, severity, message },
			...(code === undefined ? {} : { code }),
			...(source === undefined ? {} : { source }),
		})),
	);
	return mended.slice(0, maxMended);
}

async function hashesOf(
	proofs: readonly PreviewedFile[],
	change: Change,
	cwd: string,
): Promise<Readonly<Record<string, string>>> {
	const written = new Map(change.files.map(({ path, after }) => [path, after]));
	const hashes = proofs.map(async ({ proof }) => {
		const bytes = written.get(proof.path) ?? (await bytesOf(proof));
		return [displayPath(proof.path, cwd), createHash("sha256").update(bytes).digest("hex")] as const;
	});
	return Object.fromEntries(await Promise.all(hashes));
}
