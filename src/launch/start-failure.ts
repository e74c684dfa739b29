import type { ServerConfig } from "../../server.ts";
import { LspError } from "../contract/errors.ts";
import { installHint } from "./install.ts";

const causes: readonly (readonly [RegExp, (found: string) => string])[] = [
	[
		/UnsupportedClassVersionError|requires? (?:at least )?Java (?:\d+)|Java version .{0,40}too old/i,
		() => "Install a newer Java; JAVA_HOME names the one that it takes.",
	],
	[/error while loading shared libraries: ([\w.+-]+)/, (library) => `Install the library ${library}.`],
	[
		/(?:Unsupported engine|requires Node(?:\.js)? version|Node\.js v?\d+ is not supported)/i,
		() => "Install a newer Node.js.",
	],
	[/(?:GLIBC(?:XX)?_[\d.]+).{0,20}not found/, () => "It was built for a newer system: install a version for this one."],
];

export function withMend(error: unknown, config: Pick<ServerConfig, "install" | "homepage">): unknown {
	if (!(error instanceof LspError) || error.code !== "LSP_SERVER_START_FAILED") return error;
	const { code, message, details, cause } = error;
	const suggestion = mendOf(
		`${message}\n${details.stderr ?? ""}\n${details.stdout ?? ""}`.slice(0, maxCharacters),
		config,
	);
	return suggestion === undefined ? error : new LspError(code, message, { ...details, suggestion }, { cause });
}

const maxCharacters = 20_000;

function mendOf(words: string, recipe: Pick<ServerConfig, "install" | "homepage">): string | undefined {
	const then = "Then use {{restart}}.";
	for (const [pattern, mend] of causes) {
		const found = pattern.exec(words);
		if (found) return `${mend(found[1] ?? "")} ${then}`;
	}
	const command = installHint(recipe);
	const module = /Cannot find (?:module|package) '([^'\n]{1,200})'|No module named '?([\w.]{1,200})/.exec(words);
	const lacks = module ? `It lacks ${module[1] ?? module[2]}. ` : "";
	if (command === undefined) return undefined;
	const again = command.startsWith("see ") ? `Install it again (${command}).` : `Install it again: ${command}.`;
	return `${lacks}${again} ${then} {{daemon logs}} has the whole story.`;
}
