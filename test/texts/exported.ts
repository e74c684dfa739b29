import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript-5";
import { REPOSITORY } from "../support/repository.ts";

/** An exported function of a module, with the names of its parameters that are texts. */
export interface TextFunction {
	/** `impact/index/imports.ts importsOf`, `jsonrpc/ndjson.ts LineReader.feed`, `lsp/path-map.ts new PathMap`. */
	readonly name: string;
	readonly parameters: readonly string[];
}

/** All functions, methods and constructors that the modules of `src/` export and that take strings or bytes, alone or in lists. */
export function textFunctions(): TextFunction[] {
	const source = join(REPOSITORY, "src");
	const files = readdirSync(source, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.map((file) => join(source, file));
	const config = ts.readConfigFile(join(REPOSITORY, "tsconfig.json"), ts.sys.readFile).config as object;
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, REPOSITORY);
	const program = ts.createProgram(files, options);
	const checker = program.getTypeChecker();
	const found = new Map<string, Set<string>>();

	const isText = (type: ts.Type): boolean => {
		if (type.flags & ts.TypeFlags.String) return true;
		if (type.isUnion()) return type.types.some(isText);
		if (checker.isArrayType(type) || checker.isTupleType(type))
			return checker.getTypeArguments(type as ts.TypeReference).some(isText);
		if (["Buffer", "Uint8Array"].includes(type.symbol?.name)) return true;
		// The texts of an open document, a proof or a diagnostic are in its fields.
		return ["text", "message", "lines"].some((name) => {
			const field = type.flags & ts.TypeFlags.Object ? type.getProperty(name) : undefined;
			return field !== undefined && checker.typeToString(checker.getTypeOfSymbol(field)).includes("string");
		});
	};
	const note = (name: string, signatures: readonly ts.Signature[], at: ts.Node) => {
		for (const signature of signatures)
			for (const parameter of signature.getParameters())
				if (isText(checker.getTypeOfSymbolAtLocation(parameter, at)))
					found.set(name, (found.get(name) ?? new Set()).add(parameter.name));
	};
	for (const file of files) {
		const module = program.getSourceFile(file);
		const symbol = module && checker.getSymbolAtLocation(module);
		for (const exported of symbol ? checker.getExportsOfModule(symbol) : []) {
			const declaration = exported.valueDeclaration;
			// A re-export is noted in its own module.
			if (declaration?.getSourceFile() !== module || !declaration) continue;
			const prefix = `${relative(source, file)} `;
			const type = checker.getTypeOfSymbolAtLocation(exported, declaration);
			note(prefix + exported.name, type.getCallSignatures(), declaration);
			if (!ts.isClassDeclaration(declaration)) continue;
			if (declaration.members.some(ts.isConstructorDeclaration))
				note(`${prefix}new ${exported.name}`, type.getConstructSignatures(), declaration);
			for (const member of declaration.members)
				if (ts.isMethodDeclaration(member) && !ts.isPrivateIdentifier(member.name))
					note(
						`${prefix}${exported.name}.${member.name.getText()}`,
						checker.getTypeAtLocation(member).getCallSignatures(),
						member,
					);
		}
	}
	return [...found].map(([name, parameters]) => ({ name, parameters: [...parameters] }));
}
