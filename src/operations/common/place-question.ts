import type { Alias, AnyOperation } from "../../contract/operation.ts";
import type { LocationResult } from "../../query/locations.ts";
import type { AskOptions } from "../../query/run.ts";
import { listPlaces, type ShownPlace } from "../../render/answers/locations.ts";
import { Places, page } from "./inputs.ts";
import { definePointed } from "./pointed.ts";

const defaultLimit = 200;
/** So many places a symbol has that is said to have one. */
const maxPlaces = 50;

/** Inputs of an answer of many places. */
export const placesPage = page(defaultLimit, "places");

export interface Page {
	readonly limit?: number;
	readonly offset?: number;
}

/** The part of the places that was asked for. */
export function pageOf({ limit = defaultLimit, offset = 0 }: Page) {
	return { limit, offset };
}

interface ToldPlaces {
	readonly places: readonly ShownPlace[];
	readonly total: number;
	readonly tests?: number;
}

/** The call for the places that were left out. */
export function morePlaces(operation: string, { places, total }: ToldPlaces, given: Page) {
	const offset = pageOf(given).offset + places.length;
	if (places.length === 0 || offset >= total) return undefined;
	return { operation, input: { ...given, offset }, why: `The other ${total - offset}` };
}

interface PlaceInput {
	readonly file: string;
	readonly line?: number;
	readonly column?: number;
	readonly pattern?: string;
}

interface PlaceQuestion<Name extends string> {
	readonly name: Name;
	readonly title: string;
	readonly description: string;
	readonly core?: boolean;
	readonly method: string;
	readonly aliases?: readonly Alias<PlaceInput, ToldPlaces>[];
	/** `definition`, `definitions`, `No definition found.` */
	readonly words: { readonly one: string; readonly many: string; readonly none: string };
	readonly example: { readonly input: { readonly file: string; readonly symbol: string }; readonly output: ToldPlaces };
}

const options: AskOptions<ToldPlaces> = { isEmpty: ({ total }) => total === 0 };

/** Declares a question whose answer is the place of what a symbol stands for: a few at most. */
export function definePlace<const Name extends string>(question: PlaceQuestion<Name>): AnyOperation {
	const { method, words, ...said } = question;
	return definePointed({
		...said,
		asks: [method],
		output: Places,
		options,
		answer: async (asked, pointer) =>
			asked.locations(await asked.request<LocationResult>(method, pointer), { limit: maxPlaces }),
		render: (told) => listPlaces(told.places, { ...told, ...words }),
	});
}

/** Declares a question whose answer may be places all over the project: with pages, and when the project has been read. */
export function definePlaces<const Name extends string>(question: PlaceQuestion<Name>): AnyOperation {
	const { method, words, ...said } = question;
	return definePointed({
		...said,
		asks: [method],
		input: placesPage,
		output: Places,
		options: { ...options, whole: true },
		answer: async (asked, pointer, given) =>
			asked.locations(await asked.request<LocationResult>(method, pointer), pageOf(given)),
		render: (told, given) => listPlaces(told.places, { ...told, ...pageOf(given), ...words }),
		next: (told, given) => morePlaces(question.name, told, given),
	});
}
