/** The manual page `pi-lsp(1)`, from the entries of `pi-lsp --help`. */

import { commands } from "../src/faces/cli/commands.ts";
import { helpEnd, helpGroups, version } from "../src/faces/cli/help.ts";

/** In the language of man(7). */
export function manPage(): string {
	return [
		`.TH PI\\-LSP 1 "" "pi\\-lsp ${plain(version())}" "User Commands"`,
		".SH NAME",
		plain("pi-lsp - what the compiler knows about your code, from real language servers"),
		".SH SYNOPSIS",
		".B pi\\-lsp",
		plain("COMMAND [WORDS] [OPTIONS]"),
		".SH DESCRIPTION",
		...helpEnd.map(plain),
		...helpGroups(commands).flatMap(({ title, rows }) => [
			`.SH "${plain(title.toUpperCase())}"`,
			...rows.flatMap(({ usage, about, options }) => [
				".TP",
				`\\fB${plain(usage)}\\fR`,
				plain(about),
				...(options.length > 0 ? [".RS"] : []),
				...options.flatMap(([option, meaning]) => [".TP", `\\fB${plain(option)}\\fR`, plain(meaning)]),
				...(options.length > 0 ? [".RE"] : []),
			]),
		]),
		".SH SEE ALSO",
		plain("The folder docs of the package; pi-lsp COMMAND --help has an example of each question."),
		"",
	].join("\n");
}

/** Escapes roff's backslash, plain hyphen, and a dot or an apostrophe at the start of a line; roff reads ASCII. */
function plain(text: string): string {
	const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq");
	const ascii = escaped.replace(
		/[^\n -~]/gu,
		(char) => `\\[u${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
	);
	return ascii.replace(/^[.']/gm, "\\&$&");
}
