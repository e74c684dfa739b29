/** Copies only if `change` changes an item or field. */
export function withEach<Value extends object>(
	value: Value,
	change: (each: unknown, name?: string) => unknown,
	rename: (name: string) => string = (name) => name,
): Value {
	if (Array.isArray(value)) {
		let copy: unknown[] | undefined;
		for (let index = 0; index < value.length; index++) {
			const each: unknown = value[index];
			const changed = change(each);
			if (changed === each) continue;
			copy ??= [...value];
			copy[index] = changed;
		}
		return (copy ?? value) as Value;
	}
	const fields = value as Readonly<Record<string, unknown>>;
	const names = Object.keys(fields);
	let copy: [string, unknown][] | undefined;
	for (let index = 0; index < names.length; index++) {
		const name = names[index] as string;
		const renamed = rename(name);
		const changed = change(fields[name], name);
		if (!copy && (changed !== fields[name] || renamed !== name))
			copy = names.slice(0, index).map((before) => [before, fields[before]]);
		copy?.push([renamed, changed]);
	}
	return (copy ? Object.fromEntries(copy) : value) as Value;
}
