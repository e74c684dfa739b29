import type { CheckReport } from "../../contract/check-report.ts";
import { asLspError, reasonOf } from "../../contract/errors.ts";
import { stateOfError } from "../../diagnostics/file-state.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { displayPath, type Located, type Route } from "../../routing/locate.ts";
import { isOptional } from "../../routing/select-servers.ts";
import { unprovenReport } from "../check-edit.ts";
import type { OperationCall } from "../operation-context.ts";
import { type Found, type Group, judgesOf, type UnknownFile } from "./preview-at-server.ts";

export class Judges {
	readonly edited: Located[] = [];
	readonly gone: Located[] = [];
	readonly unlocated: CheckReport[] = [];
	/** Users that no server judges. */
	readonly unasked: string[] = [];
	readonly unknown: UnknownFile[] = [];
	readonly #call: OperationCall;
	readonly #groups = new Map<string, Group>();

	constructor(call: OperationCall) {
		this.#call = call;
	}

	groups(): Group[] {
		return [...this.#groups.values()];
	}

	/** Undefined `text`: the file would be gone. */
	async add(path: string, text: string | undefined): Promise<void> {
		const { service, params } = this.#call;
		const { directory } = await this.#call.settings();
		const found = await service.locate(path, params, { mayBeMissing: true }).catch((thrown: unknown) => {
			this.unlocated.push(unprovenReport(displayPath(path, directory), thrown));
		});
		if (!found) return;
		const { located } = found;
		(text === undefined ? this.gone : this.edited).push(located);
		for (const route of judgesOf(located)) {
			if (text === undefined && isOptional(route.config)) continue;
			const group = this.#groupFor(route, located.workspace);
			if (text === undefined) group.gone.add(path);
			else group.files.push({ located, text });
		}
	}

	/** Components that import a script, YAML and TOML that a schema judges. */
	async addUsers(found: readonly Found[]): Promise<Group[]> {
		const { service, params } = this.#call;
		const known = new Set(this.#groups.keys());
		const asked = new Set(found.flatMap((each) => each.asked));
		for (const path of new Set(found.flatMap((each) => each.affected))) {
			if (asked.has(path)) continue;
			const user = await service.locate(path, params).catch((thrown: unknown) => {
				const error = asLspError(thrown);
				const state = stateOfError(error.code) ?? "unavailable";
				if (state === "unsupported") this.unasked.push(path);
				else this.unknown.push({ path, state, reason: reasonOf(error) });
			});
			if (!user) continue;
			const routes = judgesOf(user.located).filter(({ config }) => !isOptional(config));
			const further = routes.filter((route) => !known.has(entryKey(route)));
			if (further.length === 0) this.unasked.push(path);
			for (const route of further) {
				const group = this.#groupFor(route, user.located.workspace);
				group.users = [...(group.users ?? []), path];
			}
		}
		return [...this.#groups].flatMap(([key, group]) => (known.has(key) ? [] : [group]));
	}

	#groupFor(route: Route, workspace: string): Group {
		const key = entryKey(route);
		const group = this.#groups.get(key) ?? { route, workspace, files: [], gone: new Set<string>(), users: undefined };
		this.#groups.set(key, group);
		return group;
	}
}
