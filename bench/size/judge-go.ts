import { existsSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runCommand } from "../../test/support/run-command.ts";
import type { Workspace } from "../../test/support/workspace.ts";
import { cached, run } from "../registries.ts";
import type { Errors } from "../truth/errors.ts";

/**
 * `go build` and `go vet` stop at the first package that does not compile and report nothing for its importers. So a
 * program runs the compiler's own type checker (`go/types`) over the sources of every package of the module, tests
 * included.
 */
const program = `package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes
	found, err := packages.Load(&packages.Config{Mode: mode, Tests: true}, "./...")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, each := range found {
		for _, problem := range each.Errors {
			fmt.Printf("%d\\t%s\\n", problem.Kind, problem.Pos)
		}
	}
}
`;

/** The program, compiled once. */
function judge(): string {
	const directory = cached("go-judge-1", (into) => {
		writeFileSync(join(into, "main.go"), program);
		run("go", ["mod", "init", "judge"], into);
		run("go", ["get", "golang.org/x/tools/go/packages@v0.45.0"], into);
		run("go", ["build", "-o", "judge", "."], into);
	});
	const file = join(directory, "judge");
	if (!existsSync(file)) throw new Error("the judge of Go was not compiled");
	return file;
}

/**
 * The places of all errors. No codes are compared, since the type checker exposes its own only to packages of Go itself.
 */
export async function judgeGo(ws: Pick<Workspace, "env">, root: string): Promise<Errors> {
	const { code, stdout, stderr } = await runCommand(judge(), [], { cwd: root, env: ws.env, timeoutMs: 180_000 });
	if (code !== 0) throw new Error(`the judge of Go ended with ${code}: ${stderr.slice(0, 500)}`);
	const errors = new Map<string, Set<string>>();
	for (const line of stdout.split("\n").filter(Boolean)) {
		const [, place = ""] = line.split("\t");
		const [, path = "", at = ""] = /^(.+?):(\d+)(?::\d+)?$/.exec(place) ?? [];
		const file = relative(root, path);
		if (path !== "" && !file.startsWith("..")) errors.set(file, (errors.get(file) ?? new Set()).add(`${at} `));
	}
	return errors;
}
