import {
	type CallToolRequest,
	ProtocolError,
	ProtocolErrorCode,
	type ServerContext,
} from "@modelcontextprotocol/server";
import type { Profile } from "../../config/read-settings.ts";
import { asLspError, disabled } from "../../contract/errors.ts";
import { convertInput } from "../../daemon/parse-input.ts";
import { harmlessData } from "../../render/harmless.ts";
import { commandWriter, isSlim, OfferedTools, readingOnly } from "../tools/profiles.ts";
import { invoke } from "../tools/tool-definitions.ts";
import { reportWaiting } from "../waiting.ts";
import { lacksTrust, type PersonAtClient, withTrust } from "./person.ts";
import type { McpSession } from "./session.ts";
import { errorResult, inTerminal, listed, successResult, withProblems } from "./tools.ts";

/** Their tools may name another tree. */
const namingProfiles: readonly Profile[] = ["agent-lsp", "all"];

export const offered: OfferedTools = new OfferedTools({ withCheck: true });

export class ToolCalls {
	readonly #session: McpSession;

	constructor(session: McpSession) {
		this.#session = session;
	}

	async list() {
		const { enabled, options } = this.#session;
		if (!enabled) return [];
		const profile = this.#session.profile(await this.#session.settings());
		const listing = { structured: options.structured, slim: isSlim(profile) };
		return offered.of(profile, this.#session.added).map((tool) => listed(tool, listing));
	}

	/** Throws a ProtocolError for an unknown tool. */
	async call(
		params: CallToolRequest["params"],
		{ signal, notify }: ServerContext["mcpReq"],
		person: PersonAtClient | undefined,
	) {
		const { calls, caller, directories, enabled, options, shownProblems } = this.#session;
		const args = params.arguments ?? {};
		const settings = await this.#session.settings();
		const current = this.#session.profile(settings);
		const added = this.#session.added;
		const tool = offered.called(params.name, args, current, added);
		if (!tool)
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${harmlessData(params.name)}".`);
		const write = commandWriter(offered.of(current, added), inTerminal);
		if (!enabled) return errorResult(disabled(), tool, write);
		const about = this.#session.about(await directories.of(args, namingProfiles.includes(current)));
		const problems = () => [...(settings?.problems ?? []), ...[calls.audit.problem ?? []].flat()];
		const progressToken = params._meta?.progressToken;
		const stopProgress =
			progressToken === undefined
				? undefined
				: reportWaiting(caller, about.cwd, (progress) => {
						const params = { progressToken, ...progress, message: harmlessData(progress.message) };
						notify({ method: "notifications/progress", params }).catch(() => {});
					});
		try {
			const { skills: binding } = this.#session;
			const skills = binding && { binding, words: current };
			const asked = { tool: params.name, args, profile: current, about, signal, skills, added };
			const attempt = (untrusted: () => void) =>
				calls.run(person ? { ...asked, confirm: person.confirm } : asked, (request) => {
					const from = { cwd: about.cwd, name: params.name, check: convertInput };
					const call = (current === "read" ? readingOnly(tool, added) : tool).parse(args, from);
					const ask = async (input: unknown) => {
						try {
							const output = await request(call.operation, input);
							if (lacksTrust(output)) untrusted();
							return output;
						} catch (thrown) {
							if (asLspError(thrown).code === "LSP_SERVER_UNTRUSTED") untrusted();
							throw thrown;
						}
					};
					return invoke(call, ask, write);
				});
			const answer = await (person ? withTrust(attempt, () => person.trusts(caller, about)) : attempt(() => {}));
			const line = binding ? binding.nextLine(answer, current) : answer.next;
			const next = line === undefined || settings?.nextStep === false ? [] : [line];
			const texts = [...answer.texts, ...(binding?.takeWarnings() ?? []), ...next];
			return withProblems(successResult({ ...answer, texts }, options.structured), problems(), shownProblems);
		} catch (thrown) {
			return (await person?.toAsk()) ?? withProblems(errorResult(thrown, tool, write), problems(), shownProblems);
		} finally {
			stopProgress?.();
			await this.#session.host?.update(current);
		}
	}
}
