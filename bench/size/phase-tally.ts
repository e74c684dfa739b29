import type { CheckReport } from "../../src/contract/check-report.ts";
import { counted, type Figure } from "../figures.ts";
import { spreadOf } from "../statistics.ts";
import { type Difference, differencesOf, type Errors, sizeOf } from "../truth/errors.ts";
import type { BareSide } from "./bare-side.ts";
import { othersIn } from "./reported.ts";
import { newErrorsIn } from "./tap.ts";

const none: ReadonlySet<string> = new Set();

/** The errors that are new since `before`; they can be compared as sets, since the edits keep their file's lines. */
export function newIn(before: Errors, after: Errors): Map<string, ReadonlySet<string>> {
	const found = new Map<string, ReadonlySet<string>>();
	for (const [file, errors] of after) {
		const fresh = [...errors].filter((error) => !(before.get(file) ?? none).has(error));
		if (fresh.length > 0) found.set(file, new Set(fresh));
	}
	return found;
}

/** The sources that contain a name as a word: the candidates of a client without a better search. */
export function filesNaming(bare: BareSide, isSource: (path: string) => boolean, name: string): string[] {
	const word = new RegExp(`\\b${name}\\b`);
	return bare.files(isSource).filter((file) => word.test(bare.text(file)));
}

/**
 * The errors that the model read. The daemon's reports contain all of them; the texts name five files and count the rest.
 * So a report counts where the texts count as many other files as the reports, else only for the files that a text names.
 */
export function reportedErrors(
	reports: readonly CheckReport[],
	text: string,
	edited: string,
	withCodes: boolean,
): Map<string, ReadonlySet<string>> {
	const errors: Map<string, ReadonlySet<string>> = newErrorsIn(reports, withCodes);
	const others = [...errors.keys()].filter((file) => file !== edited);
	const { files, named } = othersIn(text, edited);
	if (files < others.length) for (const file of others) if (!named.includes(file)) errors.delete(file);
	return errors;
}

/** The result of one seeded edit. */
interface Outcome {
	readonly broken: Errors;
	readonly after: Errors;
	readonly reported: Errors;
	readonly others: number;
	readonly bareMs: number;
	/** Undefined where not everything was reported in the turn. */
	readonly reportedMs: number | undefined;
	readonly ownTime: number;
}

/** Counts the outcomes of the seeded edits of one project. */
export class PhaseTally {
	readonly #title: string;
	readonly #everyFileMs: number;
	readonly #bare: number[] = [];
	readonly #reported: number[] = [];
	#edits = 0;
	#breaking = 0;
	#late = 0;
	#slower = 0;
	#errors = 0;
	#missing = 0;
	#invented = 0;
	/** A summary of the last edit. */
	last = "";

	constructor(title: string, everyFileMs: number) {
		this.#title = title;
		this.#everyFileMs = everyFileMs;
	}

	/** Counts an edit, and returns its missing and invented errors. */
	edit({ broken, after, reported, others, bareMs, reportedMs, ownTime }: Outcome): Difference[] {
		this.#edits++;
		this.#errors += sizeOf(broken);
		if (others > 0) {
			this.#breaking++;
			if (reportedMs === undefined) this.#late++;
			else {
				this.#bare.push(bareMs);
				this.#reported.push(reportedMs);
				if (reportedMs > this.#everyFileMs) this.#slower++;
			}
		}
		const missing = differencesOf(broken, reported).map(({ file, missing: gone }) => ({
			file,
			missing: gone,
			invented: [],
		}));
		const invented = differencesOf(after, reported).map(({ file, invented: more }) => ({
			file,
			missing: [],
			invented: more,
		}));
		const wrong = [...missing, ...invented].filter((each) => each.missing.length + each.invented.length > 0);
		this.#missing += missing.reduce((sum, each) => sum + each.missing.length, 0);
		this.invented(invented);
		this.last = `${sizeOf(broken)} errors, ${others} other files; edit ${Math.round(ownTime)} ms, all reported ${reportedMs === undefined ? "not in the turn" : `after ${Math.round(reportedMs)} ms`}, bare ${Math.round(bareMs)} ms`;
		return wrong;
	}

	invented(differences: readonly Difference[]): void {
		this.#invented += differences.reduce((sum, { invented }) => sum + invented.length, 0);
	}

	figures(): Figure[] {
		const title = `${this.#title}: seeded edits`;
		const count = (what: string, value: number, n: number, limit?: number): Figure =>
			counted(
				`${title}: ${what}`,
				value,
				n,
				limit === undefined ? undefined : { text: limit === 0 ? "0" : "1 % of them", limit },
			);
		return [
			...(this.#reported.length > 0 ? [this.#time(title)] : []),
			count("not reported within the turn, 20 s", this.#late, this.#breaking),
			count("slower than pulling every file", this.#slower, this.#breaking, 0),
			count("errors missed 10 s after the turn", this.#missing, this.#errors, Math.floor(this.#errors / 100)),
			count("errors invented", this.#invented, this.#edits, 0),
		];
	}

	#time(title: string): Figure {
		const bare = spreadOf(this.#bare);
		return {
			what: `${title}: all reported, against the files pulled one by one`,
			unit: "ms",
			bare,
			ours: spreadOf(this.#reported),
			bar: { text: "1.3 × + 0", limit: bare.median * 1.3 },
		};
	}
}
