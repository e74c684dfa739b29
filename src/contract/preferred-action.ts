export interface TitledAction {
	readonly title: string;
	readonly isPreferred?: boolean;
	readonly disabled?: unknown;
}

export function preferredAction<Action extends TitledAction>(actions: readonly Action[]): Action | undefined {
	const possible = actions.filter(({ disabled }) => !disabled);
	const preferred = possible.filter(({ isPreferred }) => isPreferred);
	// TypeScript 7 prefers none, and lists `Add all missing imports` with a single import.
	const single = possible.filter(({ title }) => !/^\w+ all\b/i.test(title));
	const candidates = [preferred, single, possible].find(({ length }) => length > 0) ?? [];
	return candidates.length === 1 ? candidates[0] : undefined;
}
