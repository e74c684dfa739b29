import type { ServerConfig } from "../../server.ts";

/** The details of an error about a server: its id and its first LSP language id. */
export function aboutServer({ id, languageId }: Pick<ServerConfig, "id" | "languageId">) {
	const [language = id] = typeof languageId === "string" ? [languageId] : Object.values(languageId);
	return { language, server: id };
}
