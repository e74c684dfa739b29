import { runPi } from "../../test/faces/pi/run-pi.ts";
import type { ScriptedStep } from "../../test/faces/pi/scripted-model.ts";
import type { Workspace } from "../../test/support/workspace.ts";

/** A file without its three imports. */
const lacking = ["AsyncAction", "AsapAction", "QueueAction"]
	.map((name, index) => `export const value${index} = new ${name}();\n`)
	.join("");

/** A server that is asked for its first imports answers too late for the edit. */
const rounds = 4;

export interface EditResult {
	readonly text: string;
	readonly handles: number;
}

/** The results of an edit with three errors, without and with the fixes that their server prefers. */
export async function editResults(ws: Workspace): Promise<readonly [without: EditResult, offered: EditResult]> {
	const edited = (fixHandles: boolean) => {
		ws.write(".pi-lsp.json", JSON.stringify({ fixHandles, declarations: false }));
		return mostOffered(ws);
	};
	return [await edited(false), await edited(true)];
}

async function mostOffered(ws: Workspace): Promise<EditResult> {
	const path = "src/internal/lacking.ts";
	const write = (content: string): ScriptedStep => ({ calls: [{ name: "write", arguments: { path, content } }] });
	const steps = Array.from({ length: rounds }, () => [write("export {};\n"), write(lacking)]).flat();
	const run = await runPi(ws, [...steps, { text: "Done." }]);
	const results = Array.from({ length: rounds }, (_, round) => {
		const text = run.result(2 * round + 1);
		return { text, handles: text.match(/^fix f\d+: .+$/gm)?.length ?? 0 };
	});
	return results.reduce((most, each) => (each.handles >= most.handles ? each : most));
}
