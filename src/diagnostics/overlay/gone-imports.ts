import { dirname, resolve } from "node:path";
import { scriptSpecifiers, withoutExtension } from "../../impact/index/imports.ts";
import { familyOf } from "../../impact/index/sources.ts";

export interface ImportedName {
	/** Where a server finds the meaning of the whole name. */
	readonly at: number;
	/** Replaceable by another; undefined if it is not. */
	readonly word: { readonly start: number; readonly end: number } | undefined;
	/** Put behind the word, keeps the name that is bound. */
	readonly alias: string;
	/** Whole name, unless it begins at the importing file. */
	readonly absolute?: string;
}

export function importedNames(text: string, path: string, stem: string): ImportedName[] {
	return familyOf(path) === "python" ? inPython(text, lastOf(stem)) : inScript(text, path, stem);
}

function lastOf(stem: string): string {
	return stem.slice(stem.lastIndexOf("/") + 1);
}

function inScript(text: string, path: string, stem: string): ImportedName[] {
	return scriptSpecifiers(text).flatMap(({ specifier, start }): ImportedName[] => {
		const plain = specifier.replace(/[?#].*$/, "");
		const bare = withoutExtension(plain);
		const isRelative = /^\.{1,2}(?:\/|$)/.test(plain);
		const slash = bare.indexOf("/");
		const means = (place: string) => {
			if (isRelative) return resolve(dirname(path), bare) === place;
			return slash > 0 && place.endsWith(bare.slice(slash));
		};
		const place = [stem, ...(stem.endsWith("/index") ? [dirname(stem)] : [])].find(means);
		if (isRelative && place === undefined) return [];
		const at = start + 1;
		const absolute = isRelative ? {} : { absolute: plain };
		const name = place === undefined ? "" : lastOf(place);
		if (name === "" || !bare.endsWith(`/${name}`)) return [{ at, word: undefined, alias: "" }];
		const end = start + bare.length;
		return [{ at, word: { start: end - name.length, end }, alias: "", ...absolute }];
	});
}

const fromStatement =
	/(?:^|[;:])[ \t]*from(?:[ \t]+|(?=\.))([.\p{L}\p{N}_]+)[ \t]*\bimport\b[ \t]*(\([^)]*\)?|[^\n\\]*(?:\\\r?\n[^\n\\]*)*)/dgmu;
const importStatement = /(?:^|[;:])[ \t]*import[ \t]+([^\n(;#]+)/dgm;

function inPython(text: string, name: string): ImportedName[] {
	const found: ImportedName[] = [];
	const add = (start: number, bindsItself: boolean, module?: string) => {
		const end = start + name.length;
		const isRenamed = /^\s+as\b/.test(text.slice(end, end + 40));
		const alias = bindsItself && !isRenamed ? ` as ${name}` : "";
		const absolute = module === undefined || module.startsWith(".") ? {} : { absolute: module };
		found.push({ at: start, word: { start, end }, alias, ...absolute });
	};
	for (const { 1: module = "", 2: names = "", indices } of text.matchAll(fromStatement)) {
		const [moduleAt = 0] = indices?.[1] ?? [];
		const [namesAt = 0] = indices?.[2] ?? [];
		if (module === name || module.endsWith(`.${name}`)) add(moduleAt + module.length - name.length, false, module);
		for (const { 0: word, index } of names.matchAll(/#.*$|(?<!\bas[ \t]+)[\p{L}\p{N}_]+/gmu))
			if (word === name) add(namesAt + index, true, `${module}.${name}`);
	}
	for (const { 1: names = "", indices } of text.matchAll(importStatement)) {
		const [namesAt = 0] = indices?.[1] ?? [];
		for (const { 0: dotted, index } of names.matchAll(/(?<!\bas[ \t]+)[\p{L}\p{N}_.]+/gu))
			if (dotted === name) add(namesAt + index, true, dotted);
			else if (dotted.endsWith(`.${name}`)) add(namesAt + index + dotted.length - name.length, false, dotted);
	}
	const known = new Set(found.map(({ at }) => at));
	for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}_]+/gu))
		if (word === name && text[index - 1] === "." && !known.has(index)) add(index, false);
	return found;
}
