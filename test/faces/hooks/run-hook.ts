import { expect } from "vitest";
import type { Workspace } from "../../support/workspace.ts";
import type { Step } from "./payloads.ts";

/** Runs the hook as a host does: exit code 0, one object, nothing on standard error. The test is the hook's agent. */
export async function hook(ws: Workspace, host: string, { event, payload }: Step): Promise<Record<string, unknown>> {
	const { code, stdout, stderr } = await ws.cli(["hook", host, event], { input: JSON.stringify(payload) });
	expect([code, stderr], event).toEqual([0, ""]);
	return JSON.parse(stdout) as Record<string, unknown>;
}
