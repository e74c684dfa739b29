import { LspError } from "../../contract/errors.ts";

const identifier = /^[#@$]{0,2}[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{M}\p{N}\p{Pc}$]*[?!']*$/u;

/** Servers take keywords as names. */
const keywords: Readonly<Record<string, string>> = {
	script:
		"break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with",
	python:
		"False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield",
	go: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
	rust: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
};

/** Servers would write it. Throws LSP_EDIT_REFUSED. */
export function requireName(oldName: string, newName: string, languageId: string): void {
	if (newName.trim() === "" || /[\r\n\0]/.test(newName)) throw refused(newName, "is no name");
	if (newName === oldName) throw refused(newName, "is its name already");
	if (!identifier.test(oldName)) return;
	if (!identifier.test(newName)) throw refused(newName, "is no identifier");
	const language = /script/.test(languageId) ? "script" : languageId;
	if (Object.hasOwn(keywords, language) && keywords[language]?.split(" ").includes(newName))
		throw refused(newName, "is a keyword");
}

function refused(name: string, why: string): LspError {
	return new LspError("LSP_EDIT_REFUSED", `${JSON.stringify(name)} ${why}.`, { suggestion: "Nothing was written." });
}
