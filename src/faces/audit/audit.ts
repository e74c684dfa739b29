import { join, resolve } from "node:path";
import type { CallerConfig } from "../../config/caller-config.ts";
import { type Profile, readSettings } from "../../config/read-settings.ts";
import { heldBackNames } from "../../process/environment.ts";
import { ownDirectory } from "../../util/xdg.ts";
import { AuditLog } from "./audit-log.ts";
import { auditRecord, type EndedCall } from "./audit-record.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function defaultAuditPath(env: Env = process.env): string {
	return join(ownDirectory("XDG_STATE_HOME", env), "audit.jsonl");
}

/** "" disables the log. */
export function givenAuditPath(path: string | undefined, env: Env = process.env): string | undefined {
	return path ?? env.PI_LSP_AUDIT_LOG ?? env.AGENT_LSP_AUDIT_LOG;
}

export class Audit {
	readonly #path: string | undefined;
	#log: AuditLog | undefined;
	#making: Promise<void> = Promise.resolve();

	constructor(path?: string) {
		this.#path = path;
	}

	get problem(): string | undefined {
		return this.#log?.problem;
	}

	logFor(profile: Profile | undefined): AuditLog | undefined {
		const path = givenAuditPath(this.#path) ?? (profile === "agent-lsp" ? defaultAuditPath() : "");
		if (path === "") return undefined;
		const full = resolve(path);
		if (this.#log?.path !== full) {
			void this.#log?.close();
			this.#log = new AuditLog(full);
		}
		return this.#log;
	}

	record(log: AuditLog, call: Omit<EndedCall, "preview" | "secrets">, config: CallerConfig | undefined): void {
		this.#making = this.#making.then(async () => {
			const settings = await readSettings(call.cwd, { config, withoutTrust: true }).catch(() => undefined);
			const secrets = heldBackNames(process.env).flatMap((name) => process.env[name] ?? []);
			log.add(auditRecord({ ...call, preview: settings?.auditPreview === true, secrets }));
		});
	}

	async close(): Promise<void> {
		await this.#making;
		await this.#log?.close();
	}
}
