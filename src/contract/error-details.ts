import type { ServerConfig } from "../../server.ts";

/** Whose failure the details of an error tell of: the (first) language of a server, by its language id, and its own id. */
export function aboutServer({ id, languageId }: Pick<ServerConfig, "id" | "languageId">) {
	const [language = id] = typeof languageId === "string" ? [languageId] : Object.values(languageId);
	return { language, server: id };
}
