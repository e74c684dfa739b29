import type { Kind } from "./change.ts";
import type { Difference, Verdict } from "./errors.ts";

/** The counts of one session's comparisons. */
export class Tally {
	readonly kinds = new Map<Kind, number>();
	/** Answers about the edited file, and how many of them differ from the compiler's errors. */
	editedAnswers = 0;
	editedWrong = 0;
	readonly wrongKinds = new Map<Kind, number>();
	/** Over all files at the checkpoints. */
	checkpoints = 0;
	compilerErrors = 0;
	missing = 0;
	invented = 0;
	/** Files that were checked explicitly, and how many answers differ from the compiler's errors. */
	askedFiles = 0;
	askedWrong = 0;
	/** Answers that prove nothing, and files that an answer left out. */
	unproven = 0;
	omitted = 0;
	/** Questions asked between the edits, and between an edit and its check. */
	questions = 0;
	/** Errors of the compiler that are not compared. */
	withoutFile = 0;
	outside = 0;

	saw({ withoutFile, outside }: Verdict): void {
		this.withoutFile += withoutFile;
		this.outside += outside;
	}

	made(kind: Kind): void {
		this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
	}

	edited(kind: Kind, answers: number, wrong: readonly Difference[]): void {
		this.editedAnswers += answers;
		this.editedWrong += wrong.length;
		if (wrong.length > 0) this.wrongKinds.set(kind, (this.wrongKinds.get(kind) ?? 0) + wrong.length);
	}

	checkpoint(truth: number, differences: readonly Difference[]): void {
		this.checkpoints++;
		this.compilerErrors += truth;
		for (const { missing, invented } of differences) {
			this.missing += missing.length;
			this.invented += invented.length;
		}
	}

	asked(files: number, wrong: number): void {
		this.askedFiles += files;
		this.askedWrong += wrong;
	}
}
