import { Sandbox } from "../../src/sandbox/sandbox.ts";
import { withServers } from "../live/languages.ts";

const state = await new Sandbox().state("/nonexistent", withServers({ PATH: process.env.PATH ?? "" }));

/** The program that makes the sandbox; the empty text where there is none. */
export const sandboxProgram: string = "program" in state ? state.program : "";

/** Why there is no sandbox on this machine; its tests are then skipped. */
export const noSandbox: string | undefined = "reason" in state ? state.reason : undefined;

/** The name of a test that needs a sandbox, with the reason if it is skipped. */
export function named(title: string): string {
	return noSandbox === undefined ? title : `${title}: ${noSandbox}`;
}
