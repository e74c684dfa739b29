import type { ServerConfig } from "../../server.ts";

export function aboutServer({ id, languageId }: Pick<ServerConfig, "id" | "languageId">) {
	const [language = id] = typeof languageId === "string" ? [languageId] : Object.values(languageId);
	return { language, server: id };
}
