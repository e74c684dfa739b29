import type { Caller } from "../contract/caller.ts";
import { LspError } from "../contract/errors.ts";
import type { TrustView } from "../render/status/trust.ts";
import { noneOf } from "./tools/option-mistake.ts";

export const trustVerbs = ["show", "add", "remove"] as const;

/** Throws LSP_INVALID_INPUT for an unknown verb. */
export async function applyTrustVerb(
	caller: Pick<Caller, "call">,
	cwd: string,
	verb: string,
	confirm: (view: TrustView) => Promise<boolean>,
): Promise<TrustView> {
	if (!trustVerbs.some((known) => known === verb))
		throw new LspError("LSP_INVALID_INPUT", `trust: ${noneOf(verb, trustVerbs)}`);
	if (verb === "remove") return caller.call<TrustView>("trust", { cwd, answer: "forget" });
	const view = await caller.call<TrustView>("trust", { cwd });
	if (verb === "show" || !(await confirm(view))) return view;
	return caller.call<TrustView>("trust", { cwd, answer: "yes", hash: view.hash });
}
