/** An `#if` that is open: the brackets that are open where it begins, and where its first branch has ended. */
interface Branch {
	readonly before: readonly number[];
	after: readonly number[] | undefined;
	isLeftOut: boolean;
}

/**
 * The branches of the C preprocessor. Each may open and close brackets for itself: those of the first one are what the
 * text goes on with.
 */
export class Branches {
	private readonly branches: Branch[] = [];

	/** True behind the end of a first branch. */
	get isLater(): boolean {
		return this.branches.at(-1)?.after !== undefined;
	}

	/** True if a bracket that is open may be closed here. */
	isOpenHere(bracket: number): boolean {
		const branch = this.branches.at(-1);
		return branch?.after === undefined || !branch.before.includes(bracket);
	}

	/** Reads a directive and returns the brackets that are open behind it. */
	read(text: string, open: number[]): number[] {
		const word = /^# ?(\w+)/.exec(text)?.[1] ?? "";
		const branch = this.branches.at(-1);
		if (word.startsWith("if")) {
			// What `#if 0` leaves out opens and closes nothing.
			const isLeftOut = /^# ?if 0$/.test(text);
			this.branches.push({ before: [...open], after: isLeftOut ? [...open] : undefined, isLeftOut });
		} else if (word.startsWith("el") && branch) {
			branch.after = branch.isLeftOut ? undefined : (branch.after ?? [...open]);
			branch.isLeftOut = false;
			return [...branch.before];
		} else if (word === "endif" && branch) {
			this.branches.pop();
			if (branch.after) return [...branch.after];
		}
		return open;
	}
}
