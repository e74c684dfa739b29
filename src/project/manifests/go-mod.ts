/** Of a go.mod. */
export function goModulePath(text: string): string | undefined {
	return /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(text)?.[1];
}

/** Of a go.mod: versions by module path. */
export function goRequirements(text: string): ReadonlyMap<string, string> {
	const required = text.replace(/^[ \t]*(?:exclude|replace|retract)[ \t]*\([^()]*\)/gm, "");
	const lines = required.matchAll(/^[ \t]*(?:require[ \t]+)?([\w.~/-]+)[ \t]+(v[\w.+-]+)/gm);
	return new Map(Array.from(lines, ([, module = "", version = ""]) => [module, version]));
}

/** Of a go.work, as it writes them: `./lib`. */
export function goWorkUses(text: string): string[] {
	const lines = text.matchAll(/^[ \t]*(?:use[ \t]+)?(\.[\w./-]*)[ \t]*(?:\/\/.*)?\r?$/gm);
	return Array.from(lines, ([, path = ""]) => path);
}
