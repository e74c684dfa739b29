import { LspError } from "../../contract/errors.ts";
import { findDaemon } from "../../daemon/lifecycle/connect.ts";
import { questionText, type TrustView, trustText } from "../../render/status/trust.ts";
import { deadline } from "../../util/abort.ts";
import { applyTrustVerb } from "../trust.ts";
import { callerFor } from "./caller.ts";
import { askAtTerminal, print, printJson } from "./print.ts";

const tellMs = 2000;

export async function trustCommand(args: readonly string[]): Promise<number> {
	const words = args.filter((word) => !word.startsWith("--"));
	const unknown = args.find((word) => word.startsWith("--") && !["--json", "--no-daemon", "--yes"].includes(word));
	if (unknown !== undefined || words.length > 1)
		throw new LspError(
			"LSP_INVALID_INPUT",
			`trust: "${unknown ?? words[1]}" is not known; it takes show, add or remove.`,
		);
	const caller = await callerFor({ daemon: false });
	try {
		const confirm = (view: TrustView) => confirmed(view, args.includes("--yes"));
		const verb = words[0] ?? "show";
		const view = await applyTrustVerb(caller, process.cwd(), verb, confirm);
		if (verb === "add") await tellDaemon(view);
		return args.includes("--json") ? printJson(view) : print(trustText(view));
	} finally {
		await caller.close();
	}
}

async function tellDaemon({ state, hash }: TrustView): Promise<void> {
	if (state !== "trusted") return;
	const limit = deadline(tellMs, () => new Error("The daemon does not answer."));
	const client = await findDaemon().catch(() => undefined);
	await client?.call("trust", { cwd: process.cwd(), answer: "yes", hash }, limit.signal).catch(() => {});
	client?.close();
	limit.end();
}

/** Rejects with LSP_NEEDS_PERSON without a terminal. */
async function confirmed(view: TrustView, yes: boolean): Promise<boolean> {
	if (yes) return true;
	const answer = await askAtTerminal(questionText(view));
	if (answer !== undefined) return answer;
	throw new LspError("LSP_NEEDS_PERSON", `Only a person may allow what ${view.root} brings to be run.`, {
		suggestion: "Ask them to run `pi-lsp trust add` in a terminal; `pi-lsp trust` shows what it allows.",
	});
}
