import ts from "typescript-5";
import { expect, test } from "vitest";
import { codeOf } from "../../bench/truth/errors.ts";

const texts: Readonly<Record<string, string>> = {
	"first.ts": `export const value = 1;\n${"valeu;\n".repeat(10)}`,
	"second.ts": "const number = 1;\nexport const all = [{ numbre }, number];\n",
};

/** The codes of `second.ts`, after `before` was checked by the same checker. */
function codesAfter(before: readonly string[]): string[] {
	const options: ts.CompilerOptions = { noLib: true, types: [], module: ts.ModuleKind.ESNext };
	const host = ts.createCompilerHost(options);
	host.getSourceFile = (name, how) => ts.createSourceFile(name, texts[name] ?? "", how);
	const program = ts.createProgram(Object.keys(texts), options, host);
	for (const name of before) program.getSemanticDiagnostics(program.getSourceFile(name));
	return program.getSemanticDiagnostics(program.getSourceFile("second.ts")).map(({ code }) => String(code));
}

test("the codes of an unknown name, which differ by what TypeScript 5.9 has checked before, are compared as one", () => {
	const [alone, behind] = [codesAfter([]), codesAfter(["first.ts"])];
	expect([alone, behind]).toEqual([["2552"], ["18004"]]);
	expect(alone.map(codeOf)).toEqual(behind.map(codeOf));
});
