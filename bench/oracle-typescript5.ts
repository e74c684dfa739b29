import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import ts from "typescript-5";
import type { Oracle } from "./oracle.ts";
import { codeOf } from "./truth/errors.ts";

/**
 * TypeScript 5.9 in this process, fast enough for a thousand edits: each verdict is a new program, which reuses only the
 * syntax trees of unchanged files. The real `tsc` is run as well at the checkpoints.
 */
export function typescript5Oracle(root: string, configs: readonly string[], isOwn: (path: string) => boolean): Oracle {
	const trees = new Map<string, ts.SourceFile>();
	return async () => {
		const errors = new Map<string, Set<string>>();
		const withoutFile = new Set<string>();
		const outside = new Set<string>();
		for (const config of configs)
			for (const { file, start = 0, code, category, messageText } of compile(join(root, config), trees, isOwn, root)) {
				if (category !== ts.DiagnosticCategory.Error) continue;
				const what = `${code} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
				if (!file) withoutFile.add(what);
				else {
					const path = relative(root, file.fileName);
					const { line } = file.getLineAndCharacterOfPosition(start);
					if (!isOwn(path)) outside.add(`${path} ${line} ${what}`);
					else errors.set(path, (errors.get(path) ?? new Set()).add(`${line + 1} ${codeOf(String(code))}`));
				}
			}
		return { errors, withoutFile: withoutFile.size, outside: outside.size };
	};
}

function compile(
	config: string,
	trees: Map<string, ts.SourceFile>,
	isOwn: (path: string) => boolean,
	root: string,
): readonly ts.Diagnostic[] {
	const parsed = ts.getParsedCommandLineOfConfigFile(
		config,
		{ noEmit: true },
		{
			...ts.sys,
			onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
				throw new Error(ts.flattenDiagnosticMessageText(messageText, " "));
			},
		},
	);
	if (!parsed) throw new Error(`${config} cannot be read`);
	const host = ts.createCompilerHost(parsed.options, true);
	host.getSourceFile = (fileName, how) => {
		const text = ts.sys.readFile(fileName);
		if (text === undefined) return undefined;
		const { setExternalModuleIndicator: _, ...known } = typeof how === "object" ? how : { languageVersion: how };
		const hash = createHash("sha1").update(text).digest("hex");
		const key = JSON.stringify([config, fileName, hash, known]);
		const tree = trees.get(key) ?? ts.createSourceFile(fileName, text, how, true);
		trees.set(key, tree);
		return tree;
	};
	const program = ts.createProgram({
		rootNames: parsed.fileNames,
		options: parsed.options,
		configFileParsingDiagnostics: parsed.errors,
		host,
	});
	const own = program.getSourceFiles().filter(({ fileName }) => isOwn(relative(root, fileName)));
	return [
		...program.getConfigFileParsingDiagnostics(),
		...program.getOptionsDiagnostics(),
		...program.getGlobalDiagnostics(),
		...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
	];
}
