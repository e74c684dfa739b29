import { Type } from "@sinclair/typebox";
import type { Severity } from "../../contract/check-report.ts";
import { t } from "../../contract/schema.ts";
import type { EditSession, OwnErrors } from "../../diagnostics/edit-session.ts";
import { hashOf } from "../../util/hash.ts";
import { Locks } from "../../util/locks.ts";
import { Mirrors } from "./mirrors.ts";

const maxFiles = 40;
/** In characters, of a session's texts. */
const maxSize = 8 * 1024 * 1024;
const idleMs = 24 * 60 * 60 * 1000;

const MirrorSchema = t.object({
	files: t.objects({
		key: t.text(),
		path: t.text(),
		text: t.text(),
		diagnostics: t.objects({
			line: t.integer(),
			column: t.integer(),
			endLine: t.integer(),
			endColumn: t.integer(),
			severity: Type.Unsafe<Severity>({ type: "string", enum: ["error", "warning", "info", "hint"] }),
			code: t.optional.text(),
			source: t.optional.text(),
			message: t.text(),
			new: Type.Literal(true),
		}),
	}),
});

export class SessionMirrors {
	readonly #mirrors: Mirrors<typeof MirrorSchema>;
	readonly #locks = new Locks();
	readonly #changed = new Set<string>();

	constructor(directory: string) {
		this.#mirrors = new Mirrors(directory, MirrorSchema);
		void this.#mirrors.removeOlderThan(Date.now() - idleMs, () => false).catch(() => {});
	}

	follow(id: string, session: EditSession): void {
		const name = nameOf(id);
		session.restored = this.#mirrors.read(name).then((mirror) => session.restore(mirror?.files ?? []));
		session.onOwnErrors = () => this.#save(name, session);
	}

	end(id: string, session: EditSession | undefined): void {
		if (session) session.onOwnErrors = () => {};
		void this.#locks.run(nameOf(id), () => this.#mirrors.remove(nameOf(id)));
	}

	#save(name: string, session: EditSession): void {
		if (this.#changed.has(name)) return;
		this.#changed.add(name);
		const save = async () => {
			this.#changed.delete(name);
			const files = withinLimits(session.ownErrors);
			if (files.length > 0) await this.#mirrors.write(name, { files });
			else await this.#mirrors.remove(name);
		};
		void this.#locks.run(name, save).catch(() => {});
	}
}

function nameOf(id: string): string {
	return hashOf(id, 32);
}

function withinLimits(files: readonly OwnErrors[]) {
	let size = 0;
	const last = files.slice(-maxFiles).reverse();
	return last
		.filter(({ text }) => {
			size += text.length;
			return size <= maxSize;
		})
		.map(({ key, path, text, diagnostics }) => ({ key, path, text, diagnostics: diagnostics.map(mirrored) }));
}

function mirrored({
	line,
	column,
	endLine,
	endColumn,
	severity,
	code,
	source,
	message,
}: OwnErrors["diagnostics"][number]) {
	const named = { ...(code === undefined ? {} : { code }), ...(source === undefined ? {} : { source }) };
	return { line, column, endLine, endColumn, severity, ...named, message, new: true as const };
}
