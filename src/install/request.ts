import type { ServerConfig } from "../../server.ts";
import { speaks } from "../config/servers.ts";
import { LspError } from "../contract/errors.ts";
import { isFolderName, type PrivateInstaller } from "../launch/install.ts";
import { didYouMean } from "../render/nearest-names.ts";

/** `gopls`, `gopls@latest`, `gopls@v0.20.0`, or a language. */
export interface InstallRequest {
	readonly servers: readonly [ServerConfig, ...ServerConfig[]];
	readonly language?: string;
	readonly version?: string;
	readonly manager?: PrivateInstaller;
}

const otherNames: Readonly<Record<string, string>> = {
	bash: "shellscript",
	"c++": "cpp",
	"c#": "csharp",
	"f#": "fsharp",
	docker: "dockerfile",
	js: "javascript",
	py: "python",
	sh: "shellscript",
	shell: "shellscript",
	ts: "typescript",
};

/** Throws LSP_INVALID_INPUT for neither server nor language. */
export function readRequest(word: string, servers: readonly ServerConfig[]): InstallRequest {
	const at = word.lastIndexOf("@");
	const [name, version] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
	if (version !== undefined && !/^\w[\w.+-]*$/.test(version))
		throw new LspError("LSP_INVALID_INPUT", `install: "${version}" is no version.`, {
			suggestion: "Write ID, ID@VERSION or ID@latest.",
		});
	const asked = version === undefined ? {} : { version };
	const own = servers.find(({ id }) => id === name && isFolderName(id));
	if (own) return { servers: [own], ...asked };
	const language = languageCalled(name);
	const [first, ...others] = servers.filter((server) => speaks(server, language) && isFolderName(server.id));
	if (first) return { servers: [first, ...others], language: name, ...asked };
	throw unknownServer(name, servers);
}

export function languageCalled(name: string): string {
	const lower = name.toLowerCase();
	return Object.hasOwn(otherNames, lower) ? (otherNames[lower] ?? lower) : lower;
}

function unknownServer(name: string, servers: readonly ServerConfig[]): LspError {
	const languages = servers.flatMap(({ languageId }) =>
		typeof languageId === "string" ? [languageId] : Object.values(languageId),
	);
	const near = didYouMean(name, [...servers.map(({ id }) => id), ...languages, ...Object.keys(otherNames)]);
	return new LspError("LSP_INVALID_INPUT", `install: there is no server and no language "${name}".${near}`, {
		suggestion: "See {{doctor}} for the servers that are missing.",
	});
}
