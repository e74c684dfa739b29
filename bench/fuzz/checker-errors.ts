import ts from "typescript-5";
import { codeOf } from "../truth/errors.ts";

/**
 * The checker's errors in a text by itself, as `line code`. Some have numbers like those of syntax errors (1141: `import a
 * from b`): `tsc` does not reach them while there is a syntax error anywhere, but a server reports them.
 */
export function checkerErrors(path: string, text: string): ReadonlySet<string> {
	const options = { noResolve: true, noLib: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
	const host = ts.createCompilerHost(options, true);
	const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
	host.getSourceFile = (name) => (name === path ? file : undefined);
	const program = ts.createProgram([path], options, host);
	const found = program.getSemanticDiagnostics(file).map(({ start = 0, code }) => {
		const { line } = file.getLineAndCharacterOfPosition(start);
		return `${line + 1} ${codeOf(String(code))}`;
	});
	return new Set(found);
}
