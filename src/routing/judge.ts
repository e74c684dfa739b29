import type { ServerConfig } from "../../server.ts";
import type { Settings } from "../config/read-settings.ts";
import { installCommand } from "../launch/install.ts";
import { isInstalled } from "../launch/launch-command.ts";
import { isOptional } from "./select-servers.ts";

/** Why a file of which its servers find nothing wrong is not known to be right: the server that judges it is not asked. */
export interface Doubt {
	readonly state: "untrusted" | "unavailable";
	/** A sentence that names that server. */
	readonly reason: string;
}

/** The servers for a file: those whose names match, and those that are asked. */
export interface Answering {
	readonly matching: readonly ServerConfig[];
	readonly asked: readonly ServerConfig[];
	readonly workspace: string;
	readonly root: string;
}

/**
 * What is to be said of a file whose language is not judged by those who are asked: they only parse, or are second
 * opinions, while the one that judges is switched off by a repository that nobody trusts, is missing, or may not run.
 * Undefined where a judge is asked, and where the person has switched all of them off.
 */
export async function doubtOf(
	{ matching, asked, workspace, root }: Answering,
	{ disabled, disabledByRepository: byRepository, trusted }: Settings,
): Promise<Doubt | undefined> {
	const languages = asked.filter((config) => !isOptional(config));
	if (languages.some(({ parses }) => !parses)) return undefined;
	const [parser] = languages;
	const judges = matching.filter(
		(config) =>
			!isOptional(config) &&
			!config.parses &&
			(!parser || config.alternative === parser.alternative) &&
			(!disabled.has(config.id) || byRepository.has(config.id)),
	);
	const off = judges.find(({ id }) => byRepository.has(id));
	if (off) {
		const reason = `${off.id}, which would judge it, is switched off by a .pi-lsp.json that is not trusted.`;
		return { state: "untrusted", reason };
	}
	// Second opinions alone are asked where the language has no server that could be.
	const [first] = judges;
	if (!parser || !first) return undefined;
	for (const judge of judges)
		if (await isInstalled(judge, workspace, process.env, { root, trusted }))
			return {
				state: "untrusted",
				reason: `${judge.id}, which would judge it, waits for trust; ${parser.id} only parses.`,
			};
	const install = installCommand(first.install);
	return {
		state: "unavailable",
		reason: `${first.id}, which would judge it, is not installed${install ? ` (${install})` : ""}; ${parser.id} only parses.`,
	};
}
