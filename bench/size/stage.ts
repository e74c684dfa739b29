import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { withServers } from "../../test/live/languages.ts";
import { processesOf } from "../../test/support/processes.ts";
import { processorMs } from "../../test/support/processor.ts";
import { type Workspace, withWorkspace } from "../../test/support/workspace.ts";
import type { BareSide } from "./bare-side.ts";
import { EXTENSION, expectBuilt, stopDaemon } from "./extension.ts";
import { LivePi, type PiOptions } from "./live-pi.ts";
import type { LargeProject } from "./project.ts";

/** A project three times: for a pi with pi-lsp, for one without, and for a bare client of the same server. */
export interface Stage {
	readonly project: LargeProject;
	readonly plainWs: Workspace;
	readonly equippedWs: Workspace;
	readonly bare: BareSide;
	readonly plain: LivePi;
	readonly equipped: LivePi;
	readonly log: (line: string) => void;
}

function copyTo(root: string, { directory, settle }: LargeProject): void {
	cpSync(directory(), root, { recursive: true, verbatimSymlinks: true });
	settle?.(root);
}

/** Runs `body` in a workspace with a project, and stops the measured version's daemon afterwards. */
export function withProject<T>(project: LargeProject, body: (ws: Workspace) => Promise<T>): Promise<T> {
	expectBuilt();
	return withWorkspace({}, async (fresh) => {
		copyTo(fresh.root, project);
		const ws = { ...fresh, env: { ...withServers(fresh.env), ...project.env?.() } };
		try {
			return await body(ws);
		} finally {
			await stopDaemon(ws);
		}
	});
}

/** Runs `body` with a pi that is ended afterwards. */
export async function withPi<T>(
	ws: Workspace,
	extension: string | undefined,
	body: (pi: LivePi) => Promise<T>,
	options: PiOptions = {},
): Promise<T> {
	const pi = await LivePi.start(ws, extension, options);
	try {
		return await body(pi);
	} finally {
		await pi.close();
	}
}

export function withStage<T>(
	project: LargeProject,
	log: (line: string) => void,
	body: (stage: Stage) => Promise<T>,
	options: PiOptions = {},
): Promise<T> {
	return withProject(project, (plainWs) =>
		withProject(project, async (equippedWs) => {
			const root = join(plainWs.base, "bare");
			mkdirSync(root);
			copyTo(root, project);
			const bare = await project.startBare(plainWs, root);
			try {
				return await withPi(plainWs, undefined, (plain) =>
					withPi(
						equippedWs,
						EXTENSION,
						(equipped) => body({ project, plainWs, equippedWs, bare, plain, equipped, log }),
						options,
					),
				);
			} finally {
				await bare.client.stop();
			}
		}),
	);
}

/** For processes to become idle, in milliseconds. */
const maxMs = 20_000;
/** No process may have worked this long, in milliseconds; less than `nothingMs` does not count. */
const quietMs = 100;
const nothingMs = 3;

/**
 * The pause before a measured edit: at least `leastMs`, and until no process of the stage works any more, but at most
 * `maxMs`. Work that the last edit left behind must not slow the bare client down.
 */
export async function rest(
	{ plainWs, equippedWs }: Pick<Stage, "plainWs" | "equippedWs">,
	leastMs = 2_000,
): Promise<void> {
	const began = performance.now();
	const spent = () =>
		[plainWs, equippedWs]
			.flatMap(({ runId }) => processesOf(runId))
			.reduce((sum, { pid }) => sum + processorMs(pid), 0);
	for (let before = spent(); performance.now() - began < maxMs; ) {
		await pause(quietMs);
		const now = spent();
		if (now - before < nothingMs) break;
		before = now;
	}
	await pause(Math.max(0, leastMs - (performance.now() - began)));
}
