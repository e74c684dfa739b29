import { dirname, join, relative, sep } from "node:path";
import type { FormattingOptions } from "vscode-languageserver-protocol";
import { isInside } from "../util/paths.ts";
import { readText } from "../util/read-file.ts";
import { globTest } from "../watch/globs.ts";

export type ConfiguredFormat = Partial<
	Pick<FormattingOptions, "tabSize" | "insertSpaces" | "trimTrailingWhitespace" | "insertFinalNewline">
>;

const maxBytes = 256 * 1024;
const maxSections = 200;
const maxTabSize = 16;

interface Section {
	readonly glob: string | undefined;
	readonly properties: Map<string, string>;
}

export async function editorConfigOf(path: string, workspace: string): Promise<ConfiguredFormat> {
	const found: Map<string, string>[] = [];
	for (let at = dirname(path); isInside(at, workspace); at = dirname(at)) {
		const text = await readText(join(at, ".editorconfig"), { maxBytes, within: workspace });
		const sections = text === undefined ? [] : sectionsOf(text);
		const name = relative(at, path).split(sep).join("/");
		found.unshift(
			...sections.filter(({ glob }) => glob !== undefined && isMatch(glob, name)).map((each) => each.properties),
		);
		const isRoot = sections.some(({ glob, properties }) => glob === undefined && properties.get("root") === "true");
		if (isRoot || at === workspace) break;
	}
	return formatOf(new Map(found.flatMap((properties) => [...properties])));
}

export function sectionsOf(text: string): readonly Section[] {
	const sections: Section[] = [{ glob: undefined, properties: new Map() }];
	for (const line of text.split(/\r?\n/)) {
		const plain = line.trim();
		if (plain === "" || plain.startsWith("#") || plain.startsWith(";")) continue;
		if (plain.startsWith("[") && plain.endsWith("]")) {
			if (sections.length > maxSections) break;
			sections.push({ glob: plain.slice(1, -1), properties: new Map() });
			continue;
		}
		const at = plain.indexOf("=");
		if (at <= 0) continue;
		const value = plain.slice(at + 1).trim();
		sections.at(-1)!.properties.set(plain.slice(0, at).trim().toLowerCase(), value.toLowerCase());
	}
	return sections;
}

/** A glob with a slash means paths below the file's directory. */
function isMatch(glob: string, name: string): boolean {
	const rooted = glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`;
	// `**` next to other characters matches slashes too.
	return globTest(rooted.replace(/\*\*(?=[^/*])/g, "**/*"))?.(name) ?? false;
}

function formatOf(properties: ReadonlyMap<string, string>): ConfiguredFormat {
	const style = properties.get("indent_style");
	const width = sizeOf(properties.get("tab_width"));
	const size = sizeOf(properties.get("indent_size")) ?? width;
	const trims = flagOf(properties.get("trim_trailing_whitespace"));
	const ends = flagOf(properties.get("insert_final_newline"));
	return {
		...(style === "tab" || style === "space" ? { insertSpaces: style === "space" } : {}),
		...(size === undefined ? {} : { tabSize: size }),
		...(trims === undefined ? {} : { trimTrailingWhitespace: trims }),
		...(ends === undefined ? {} : { insertFinalNewline: ends }),
	};
}

function sizeOf(value: string | undefined): number | undefined {
	const size = Number(value);
	return Number.isInteger(size) && size > 0 && size <= maxTabSize ? size : undefined;
}

function flagOf(value: string | undefined): boolean | undefined {
	return value === "true" ? true : value === "false" ? false : undefined;
}
