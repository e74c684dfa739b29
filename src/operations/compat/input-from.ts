type Names = Readonly<Record<string, string>>;

type Parameter<Table extends Names, Name extends keyof Table, Given> = Given[Table[Name] & keyof Given];

type Renamed<Table extends Names, Given> = {
	[Name in keyof Table as undefined extends Parameter<Table, Name, Given> ? never : Name]: Parameter<
		Table,
		Name,
		Given
	>;
} & {
	[Name in keyof Table as undefined extends Parameter<Table, Name, Given> ? Name : never]?: Exclude<
		Parameter<Table, Name, Given>,
		undefined
	>;
};

export function inputFrom<const Table extends Names, Defaults extends object = object>(
	table: Table,
	defaults?: Defaults,
) {
	return <Given extends object>(given: Given): Renamed<Table, Given> & Defaults => {
		const values = given as Readonly<Record<string, unknown>>;
		const renamed = Object.entries(table).map(([name, parameter]) => [name, values[parameter]] as const);
		const present = Object.fromEntries(renamed.filter(([, value]) => value !== undefined));
		return { ...defaults, ...present } as Renamed<Table, Given> & Defaults;
	};
}
