import { expect, test } from "vitest";
import { compiledFiles } from "../../bench/truth/c.ts";
import { withWorkspace } from "../support/workspace.ts";

test("the compiler is run over every C source, and over the headers that no source includes any more", () =>
	withWorkspace(
		{
			"part/used.h": '#pragma once\n#include "part/inner.h"\n',
			"part/inner.h": "#pragma once\n",
			"part/used.c": '#include "part/used.h"\n',
			"part/left.h": '#pragma once\n#include "part/inner.h"\n',
		},
		async ({ root }) => {
			expect(compiledFiles(root)).toEqual(["part/used.c", "part/left.h"]);
		},
	));
