/** What `work` gives, or `otherwise` if it throws. */
export function attempt<Result, Otherwise = undefined>(work: () => Result, otherwise?: Otherwise): Result | Otherwise {
	try {
		return work();
	} catch {
		return otherwise as Otherwise;
	}
}
