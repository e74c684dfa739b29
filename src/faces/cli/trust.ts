import type { Caller } from "../../contract/caller.ts";
import { LspError } from "../../contract/errors.ts";
import { questionText, type TrustView, trustText } from "../../render/status/trust.ts";
import { print, printJson } from "./print.ts";
import { askAtTerminal } from "./terminal.ts";

export const trustVerbs = ["show", "add", "remove"] as const;

/** What is done with the trust in a directory's workspace; `confirm` is asked before it is given. */
export async function answerTrust(
	caller: Pick<Caller, "call">,
	cwd: string,
	verb: string,
	confirm: (view: TrustView) => Promise<boolean> = async () => true,
): Promise<TrustView> {
	if (!trustVerbs.some((known) => known === verb))
		throw new LspError("LSP_INVALID_INPUT", `trust: "${verb}" is none of ${trustVerbs.join(", ")}.`);
	if (verb === "remove") return caller.call<TrustView>("trust", { cwd, answer: "forget" });
	const view = await caller.call<TrustView>("trust", { cwd });
	if (verb === "show" || !(await confirm(view))) return view;
	return caller.call<TrustView>("trust", { cwd, answer: "yes", hash: view.hash });
}

/** Trust is a person's to give: at a terminal, or in a script of their own. Rejects with LSP_NEEDS_PERSON. */
async function confirmed(view: TrustView, yes: boolean): Promise<boolean> {
	if (yes) return true;
	const answer = await askAtTerminal(questionText(view));
	if (answer !== undefined) return answer;
	throw new LspError("LSP_NEEDS_PERSON", `Only a person may allow what ${view.root} brings to be run.`, {
		suggestion: "Ask them to run `pi-lsp trust add` in a terminal; `pi-lsp trust` shows what it allows.",
	});
}

/** `pi-lsp trust [show|add|remove] [--json] [--yes]`: in this process, since nothing of it needs a server. */
export async function trustCommand(
	args: readonly string[],
	callerFor: (options: { readonly daemon: boolean }) => Promise<Caller>,
): Promise<number> {
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
		const view = await answerTrust(caller, process.cwd(), words[0] ?? "show", confirm);
		return args.includes("--json") ? printJson(view) : print(trustText(view));
	} finally {
		await caller.close();
	}
}
