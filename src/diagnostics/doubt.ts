import type { LanguageServer } from "../lsp/server.ts";
import type { Doubt } from "../routing/judge.ts";
import type { Route } from "../routing/locate.ts";

/** Why what a route's server does not find in a text may be there all the same; undefined where its silence is proof. */
export function doubtAbout(
	{ config: { id, partial }, doubt }: Route,
	server?: LanguageServer,
	text = "",
): Doubt | undefined {
	if (partial)
		return { state: "untrusted", reason: `${id} runs nothing of the repository's without trust, and finds less.` };
	const schema = server?.schemas.refusedFor(text);
	if (schema === undefined) return doubt;
	return {
		state: "untrusted",
		reason: `Its schema is not fetched for a repository that is not trusted: ${schema.slice(0, 200)}.`,
	};
}
