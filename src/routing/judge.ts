import type { ServerConfig } from "../../server.ts";
import type { Settings } from "../config/read-settings.ts";
import { installHint } from "../launch/install.ts";
import { isInstalled } from "../launch/launch-command.ts";
import type { Directories } from "../project/directories.ts";
import { isOptional } from "./select-servers.ts";

export interface Doubt {
	readonly state: "untrusted" | "unavailable";
	readonly reason: string;
}

export interface AskedServers {
	readonly directories: Directories;
	readonly matching: readonly ServerConfig[];
	readonly asked: readonly ServerConfig[];
	readonly workspace: string;
	readonly root: string;
}

/** Doubts files whose servers only parse or lint; undefined if the user disabled the language's judging servers. */
export async function doubtOf(
	{ matching, asked, workspace, root, directories }: AskedServers,
	{ disabled, disabledByRepository: byRepository, trusted, environment }: Settings,
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
	const [first] = judges;
	if (!parser || !first) return undefined;
	const project = { root, workspace, trusted, searchPath: environment?.path };
	for (const judge of judges)
		if (await directories.asked(() => isInstalled(judge, project)))
			return {
				state: "untrusted",
				reason: `${judge.id}, which would judge it, waits for trust; ${parser.id} only parses.`,
			};
	const install = installHint(first, environment?.path);
	return {
		state: "unavailable",
		reason: `${first.id}, which would judge it, is not installed${install ? ` (${install})` : ""}; ${parser.id} only parses.`,
	};
}
