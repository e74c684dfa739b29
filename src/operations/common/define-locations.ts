import type { Alias, AnyOperation } from "../../contract/operation.ts";
import type { FieldsOf } from "../../contract/schema.ts";
import type { AskOptions } from "../../query/run.ts";
import { type LocationWords, listLocations } from "../../render/answers/locations.ts";
import type { LocationResult } from "../../util/positions.ts";
import { type At, Locations, page } from "./inputs.ts";
import { definePointed } from "./pointed.ts";

const defaultLimit = 200;
const maxLocations = 50;

export const locationPage = page(defaultLimit, "places");

type PageInput = FieldsOf<typeof locationPage>;

export function pageOf({ limit = defaultLimit, offset = 0 }: PageInput) {
	return { limit, offset };
}

export function nextPage(operation: string, { places, total }: Locations, input: PageInput) {
	const offset = pageOf(input).offset + places.length;
	if (places.length === 0 || offset >= total) return undefined;
	return { operation, input: { ...input, offset }, why: `The other ${total - offset}` };
}

interface LocationQuestion<Name extends string> {
	readonly name: Name;
	readonly title: string;
	readonly description: string;
	readonly core?: boolean;
	readonly method: string;
	readonly aliases?: readonly Alias<Omit<FieldsOf<typeof At>, "at">, Locations>[];
	readonly words: LocationWords;
	readonly fallback?: string;
	readonly example: { readonly input: { readonly file: string; readonly symbol: string }; readonly output: Locations };
}

const options: AskOptions<Locations> = { isEmpty: ({ total }) => total === 0 };

export function defineLocation<const Name extends string>(question: LocationQuestion<Name>): AnyOperation {
	const { method, words, fallback, ...operation } = question;
	return definePointed({
		...operation,
		requests: [method],
		output: Locations.properties,
		options,
		fallback: ({ total }) => (total === 0 ? fallback : undefined),
		answer: async (query, pointer) =>
			query.locations(await query.request<LocationResult>(method, pointer), { limit: maxLocations }),
		render: (found) => listLocations(found, words),
	});
}

export function defineLocations<const Name extends string>(question: LocationQuestion<Name>): AnyOperation {
	const { method, words, fallback, ...operation } = question;
	return definePointed({
		...operation,
		requests: [method],
		input: locationPage,
		output: Locations.properties,
		options: { ...options, whole: true },
		fallback: ({ total }) => (total === 0 ? fallback : undefined),
		answer: async (query, pointer, input) =>
			query.locations(await query.request<LocationResult>(method, pointer), pageOf(input)),
		render: (found, { offset }) => listLocations(found, words, offset),
		next: (found, input) => nextPage(question.name, found, input),
	});
}
