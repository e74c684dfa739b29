import { LspError } from "../errors.ts";
import { type TrustView, trustText } from "../text/trust.ts";
import type { Caller } from "./caller.ts";

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

/** `pi-lsp trust [show|add|remove] [--json]`: in this process, since nothing of it needs a server. */
export async function trustCommand(
	args: readonly string[],
	callerFor: (options: { readonly daemon: boolean }) => Promise<Caller>,
	say: (text: string) => 0,
): Promise<number> {
	const words = args.filter((word) => !word.startsWith("--"));
	const unknown = args.find((word) => word.startsWith("--") && !["--json", "--no-daemon"].includes(word));
	if (unknown !== undefined || words.length > 1)
		throw new LspError(
			"LSP_INVALID_INPUT",
			`trust: "${unknown ?? words[1]}" is not known; it takes show, add or remove.`,
		);
	const caller = await callerFor({ daemon: false });
	try {
		const view = await answerTrust(caller, process.cwd(), words[0] ?? "show");
		return say(args.includes("--json") ? JSON.stringify(view, null, 2) : trustText(view));
	} finally {
		await caller.close();
	}
}
