import {
	type McpRequestContext,
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import manifest from "../../../package.json" with { type: "json" };
import type { Profile } from "../../config/read-settings.ts";
import { complete } from "./complete.ts";
import { type Listener, News } from "./news.ts";
import { PersonAtClient, sealed } from "./person.ts";
import { Resources } from "./resources.ts";
import type { McpSession } from "./session.ts";
import {
	addedPrompt,
	addedPrompts,
	getPrompt,
	isSkillUri,
	promptsFor,
	skillEntry,
	skillFileAt,
	skillFiles,
	skillsExtension,
} from "./skills.ts";
import { offered, ToolCalls } from "./tool-calls.ts";

/** Other products count lines differently. */
const ownProfiles: readonly Profile[] = ["core", "read", "all"];

function instructionsFor(profile: Profile): string | undefined {
	const tools = offered.of(profile);
	const callOf = (operation: string) => tools.map((tool) => tool.callOf(operation)).find((call) => call !== undefined);
	const check = callOf("check") ?? callOf("diagnostics");
	if (check === undefined) return undefined;
	const isOwn = ownProfiles.includes(profile);
	return [
		"These tools know the code as its compiler does, from real language servers that are kept warm.",
		"- To find uses, definitions or types of a symbol, ask them instead of searching for text: they see through imports, overloads and equal names. For strings, comments and plain text, search.",
		isOwn ? "- Name the symbol; add a line only if a name is ambiguous. Lines and columns count from 1." : "",
		`- After you have changed files, run ${check} on them before you go on. ${isOwn ? 'Only "clean" means that there is nothing: an' : "An empty list means that there is nothing only where nothing says that it is unproven: an"} answer that was not proven says so.`,
	]
		.filter(Boolean)
		.join("\n");
}

const fixed = { ttlMs: 3_600_000 };
const configured = { ttlMs: 60_000 };
const cacheHints = {
	"server/discover": fixed,
	"prompts/list": configured,
	"resources/list": configured,
	"resources/templates/list": configured,
	"tools/list": configured,
};

/** The SDK wants a schema for requests outside the protocol. */
const anyParams: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
	"~standard": { version: 1, vendor: manifest.name, validate: (value) => ({ value: Object(value) }) },
};

/** After `server/discover` a client may still send `initialize`. */
export function mcpServers(
	session: McpSession,
	begunWith: Profile,
): (context: Pick<McpRequestContext, "era">) => Server {
	const instructions = session.enabled ? instructionsFor(begunWith) : undefined;
	// agent-lsp's clients expect messages unasked.
	if (begunWith === "agent-lsp") session.logLevel ??= "info";
	const tools = new ToolCalls(session);
	const resources = new Resources(session);
	const currentProfile = async () => session.profile(await session.settings());
	const offeredProfile = async () => ((await session.isOffering()) ? currentProfile() : undefined);
	return ({ era }) => {
		const server = new Server(
			{
				name: manifest.name,
				title: "pi-lsp: the compiler's view of the code",
				version: manifest.version,
			},
			{
				capabilities: {
					tools: { listChanged: true },
					resources: { listChanged: true, subscribe: true },
					prompts: { listChanged: true },
					completions: {},
					logging: {},
					extensions: skillsExtension,
				},
				...(instructions === undefined ? {} : { instructions }),
				cacheHints,
				requestState: sealed,
			},
		);
		const { directories } = session;
		directories.follow(server);
		const news = new News(session, resources, listenerOf(server, era));
		session.news = news;
		server.onclose = () => news.end();
		server.setRequestHandler("logging/setLevel", ({ params }) => {
			session.logLevel = params.level;
			return {};
		});
		server.setRequestHandler("resources/subscribe", async ({ params }, { mcpReq }) => {
			directories.update(mcpReq.send);
			await session.settings();
			news.subscribe(params.uri);
			return {};
		});
		server.setRequestHandler("resources/unsubscribe", ({ params }) => {
			news.unsubscribe(params.uri);
			return {};
		});
		server.setRequestHandler("tools/list", async ({ params }, { mcpReq }) => {
			directories.update(mcpReq.send);
			if (era === "legacy") news.followOffered();
			const { page, ...next } = pageOf(await tools.list(), params?.cursor);
			return { tools: page, ...next };
		});
		server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
			directories.update(mcpReq.send);
			void news.follow();
			return tools.call(params, mcpReq, PersonAtClient.of(server, mcpReq, session.declined));
		});
		server.setRequestHandler("resources/list", async ({ params }) => {
			const { page, ...next } = pageOf(await resources.list(), params?.cursor);
			return { resources: page, ...next };
		});
		server.setRequestHandler("resources/templates/list", async ({ params }) => {
			const { page, ...next } = pageOf(await resources.templates(), params?.cursor);
			return { resourceTemplates: page, ...next };
		});
		server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => {
			directories.update(mcpReq.send);
			if (isSkillUri(params.uri)) {
				const { uri, text } = skillFileAt(await skillFiles(await offeredProfile()), params.uri);
				return { contents: [{ uri, mimeType: "text/markdown", text }] };
			}
			void news.follow();
			return resources.read(params.uri, mcpReq.signal);
		});
		server.setRequestHandler("completion/complete", ({ params }, { mcpReq }) => {
			directories.update(mcpReq.send);
			return complete(session, resources, params, mcpReq.signal);
		});
		server.setRequestHandler("prompts/list", async ({ params }) => {
			const profile = await offeredProfile();
			const added = profile === undefined ? [] : addedPrompts(session.extension);
			const { page, ...next } = pageOf([...(await promptsFor(profile)), ...added], params?.cursor);
			return { prompts: page, ...next };
		});
		server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }) => {
			const profile = await currentProfile();
			return (await addedPrompt(session.extension, name, given)) ?? getPrompt(profile, name, given);
		});
		const cached = era === "modern" ? { ...configured, cacheScope: "private" } : {};
		server.setRequestHandler("skills/list", { params: anyParams }, async () => ({
			skills: (await skillFiles(await offeredProfile())).map(skillEntry),
			...cached,
		}));
		server.setRequestHandler("skills/get", { params: anyParams }, async ({ uri }) => ({
			skill: skillEntry(skillFileAt(await skillFiles(await offeredProfile()), String(uri))),
			...cached,
		}));
		return server;
	};
}

/** The stateless revision sends messages outside a request only for `subscriptions/listen`. */
function listenerOf(server: Server, era: McpRequestContext["era"]): Listener {
	const sent = (sending: Promise<void>) => void sending.catch(() => {});
	return {
		updated: (uri) => sent(server.sendResourceUpdated({ uri })),
		listsChanged() {
			sent(server.sendToolListChanged());
			sent(server.sendPromptListChanged());
			sent(server.sendResourceListChanged());
		},
		log:
			era === "legacy"
				? (level, data) => sent(server.sendLoggingMessage({ level, logger: "pi-lsp", data }))
				: undefined,
	};
}

/** Many clients read only the first page. */
const pageSize = 100;

/** The cursor is the last name of the previous page. Throws a ProtocolError. */
export function pageOf<Item extends { readonly name: string }>(all: readonly Item[], cursor: string | undefined) {
	const before = all.findIndex(({ name }) => name === cursor);
	if (cursor !== undefined && before < 0)
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such page.");
	const page = all.slice(before + 1, before + 1 + pageSize);
	const last = page.at(-1);
	return { page, ...(last && last !== all.at(-1) ? { nextCursor: last.name } : {}) };
}
