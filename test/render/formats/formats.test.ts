import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../src/contract/check-report.ts";
import { concise } from "../../../src/render/formats/concise.ts";
import type { FormatContext } from "../../../src/render/formats/format.ts";
import { github } from "../../../src/render/formats/github.ts";
import { gitlab } from "../../../src/render/formats/gitlab.ts";
import { junit } from "../../../src/render/formats/junit.ts";
import { pretty } from "../../../src/render/formats/pretty.ts";
import { sarif } from "../../../src/render/formats/sarif.ts";
import { error, file, report } from "../reports.ts";

const sources: Readonly<Record<string, string>> = {
	"src/a.ts": `\tconst n: number = "x";`,
	"src/long.ts": `${"x = 1; ".repeat(50)}const n: number = "x";`,
};

const context: FormatContext = {
	version: "1.2.3",
	ms: 1234,
	fromTop: (path) => `packages/a/${path}`,
	sourceLine: (path) => sources[path],
	hash: (text) => `hash of ${text}`,
};

const wrong = error(3, { column: 8, endLine: 3, endColumn: 9, message: "Type 'string' is not\n  assignable." });
const mixed: CheckReport = {
	...report(
		file("src/a.ts", [wrong, error(9, { severity: "warning", code: "no-x", source: "lint", message: "No x." })]),
		file("src/clean.ts", []),
		file("src/late.py", [], { state: "timed_out", reason: "pyright is still starting" }),
	),
	passedOver: [{ reason: "no server answers for it", files: 7, paths: ["LICENSE", "a.png"] }],
};
const clean = report(file("src/clean.ts", []), file("src/b.ts", []));

function plain(shown: CheckReport, more: Partial<FormatContext> = {}): string {
	return pretty(shown, { ...context, ...more })
		.map((line) => line.map(({ text }) => text).join(""))
		.join("\n");
}

describe("pretty", () => {
	test("shows each diagnostic with its source line and a caret, then unproven files, and a summary", () => {
		expect(plain(mixed)).toMatchInlineSnapshot(`
			"src/a.ts:3:8: error: Type 'string' is not assignable. (ts2322)
			 3 |     const n: number = "x";
			   |           ^

			src/a.ts:9:5: warning: No x. (no-x)
			 9 |     const n: number = "x";
			   |        ^

			src/late.py: not checked in time (pyright is still starting)
			Passed over (no server answers for it): LICENSE, a.png and 5 more
			Found 1 error, 1 warning in 1 file. Checked 3 files in 1.2 s; 1 not proven; passed over 7."
		`);
	});

	test("reports in one line that everything is clean", () => {
		expect(plain(clean)).toBe("All clean. Checked 2 files in 1.2 s.");
		expect(plain(clean, { known: 1 })).toBe("All clean. Checked 2 files in 1.2 s; left out 1 finding of the baseline.");
	});

	test("does not call unproven or missing files clean", () => {
		expect(plain(report(file("a.py", [], { state: "unavailable" })))).not.toContain("clean");
		expect(plain(report())).toBe("There is no file to check. Checked 0 files in 1.2 s.");
	});

	test("shows the part of a long line with the diagnostic", () => {
		const at = error(1, { column: 357, endLine: 1, endColumn: 358 });
		const [, source = "", caret = ""] = plain(report(file("src/long.ts", [at]))).split("\n");
		expect(source.length).toBeLessThan(180);
		expect(source[caret.indexOf("^")]).toBe("n");
	});

	test("shows no source line of an unreadable file", () => {
		expect(plain(report(file("gone.ts", [wrong])))).not.toContain("^");
	});
});

test("concise writes a line for each diagnostic, like compilers", () => {
	expect(concise(mixed, context)).toMatchInlineSnapshot(`
		"src/a.ts:3:8: error: Type 'string' is not assignable. (ts2322)
		src/a.ts:9:5: warning: No x. (no-x)
		src/late.py: not checked in time (pyright is still starting)
		Passed over (no server answers for it): LICENSE, a.png and 5 more
		Found 1 error, 1 warning in 1 file. Checked 3 files in 1.2 s; 1 not proven; passed over 7."
	`);
});

test("github writes workflow commands with paths from the top of the repository", () => {
	expect(github(mixed, context)).toMatchInlineSnapshot(`
		"::error file=packages/a/src/a.ts,line=3,endLine=3,col=8,endColumn=9,title=ts2322::Type 'string' is not%0A  assignable.
		::warning file=packages/a/src/a.ts,line=9,endLine=9,col=5,endColumn=6,title=no-x::No x.
		::error file=packages/a/src/late.py::src/late.py: not checked in time (pyright is still starting)
		Found 1 error, 1 warning in 1 file. Checked 3 files in 1.2 s; 1 not proven; passed over 7."
	`);
});

test("gitlab writes its report of code quality", () => {
	expect(JSON.parse(gitlab(mixed, context))).toMatchInlineSnapshot(`
		[
		  {
		    "check_name": "ts2322",
		    "description": "Type 'string' is not assignable.",
		    "fingerprint": "hash of ["packages/a/src/a.ts","ts2322","Type 'string' is not assignable."] 0",
		    "location": {
		      "lines": {
		        "begin": 3,
		      },
		      "path": "packages/a/src/a.ts",
		    },
		    "severity": "major",
		  },
		  {
		    "check_name": "no-x",
		    "description": "No x.",
		    "fingerprint": "hash of ["packages/a/src/a.ts","no-x","No x."] 0",
		    "location": {
		      "lines": {
		        "begin": 9,
		      },
		      "path": "packages/a/src/a.ts",
		    },
		    "severity": "minor",
		  },
		  {
		    "check_name": "not-proven",
		    "description": "src/late.py: not checked in time (pyright is still starting)",
		    "fingerprint": "hash of ["packages/a/src/late.py","not-proven","src/late.py: not checked in time (pyright is still starting)"] 0",
		    "location": {
		      "lines": {
		        "begin": 1,
		      },
		      "path": "packages/a/src/late.py",
		    },
		    "severity": "major",
		  },
		]
	`);
});

test("gitlab gives equal diagnostics of a file different fingerprints, which do not depend on their lines", () => {
	const prints = (lines: readonly number[]) => {
		const shown = report(
			file(
				"a.ts",
				lines.map((line) => ({ ...wrong, line })),
			),
		);
		return (JSON.parse(gitlab(shown, context)) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint);
	};
	expect(new Set(prints([1, 2, 3])).size).toBe(3);
	expect(prints([1, 2, 3])).toEqual(prints([4, 5, 6]));
});

test("junit writes a suite for each file", () => {
	expect(junit(mixed, context)).toMatchInlineSnapshot(`
		"<?xml version="1.0" encoding="UTF-8"?>
		<testsuites name="pi-lsp" tests="4" failures="2" errors="1" time="1.234">
		  <testsuite name="packages/a/src/a.ts" tests="2" failures="2" errors="0">
		    <testcase name="ts2322 3:8" classname="packages/a/src/a.ts"><failure message="Type 'string' is not assignable." type="error">line 3, column 8: Type 'string' is not
		  assignable.</failure></testcase>
		    <testcase name="no-x 9:5" classname="packages/a/src/a.ts"><failure message="No x." type="warning">line 9, column 5: No x.</failure></testcase>
		  </testsuite>
		  <testsuite name="packages/a/src/clean.ts" tests="1" failures="0" errors="0">
		    <testcase name="clean" classname="packages/a/src/clean.ts"/>
		  </testsuite>
		  <testsuite name="packages/a/src/late.py" tests="1" failures="0" errors="1">
		    <testcase name="proof" classname="packages/a/src/late.py"><error message="src/late.py: not checked in time (pyright is still starting)"/></testcase>
		  </testsuite>
		</testsuites>"
	`);
});

test("sarif writes results with rules, regions and unproven files", () => {
	expect(JSON.parse(sarif(mixed, context))).toMatchInlineSnapshot(`
		{
		  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		  "runs": [
		    {
		      "columnKind": "utf16CodeUnits",
		      "invocations": [
		        {
		          "executionSuccessful": false,
		          "toolExecutionNotifications": [
		            {
		              "level": "error",
		              "locations": [
		                {
		                  "physicalLocation": {
		                    "artifactLocation": {
		                      "uri": "packages/a/src/late.py",
		                    },
		                  },
		                },
		              ],
		              "message": {
		                "text": "src/late.py: not checked in time (pyright is still starting)",
		              },
		            },
		          ],
		        },
		      ],
		      "results": [
		        {
		          "level": "error",
		          "locations": [
		            {
		              "physicalLocation": {
		                "artifactLocation": {
		                  "uri": "packages/a/src/a.ts",
		                },
		                "region": {
		                  "endColumn": 9,
		                  "endLine": 3,
		                  "startColumn": 8,
		                  "startLine": 3,
		                },
		              },
		            },
		          ],
		          "message": {
		            "text": "Type 'string' is not
		  assignable.",
		          },
		          "ruleId": "ts2322",
		          "ruleIndex": 0,
		        },
		        {
		          "level": "warning",
		          "locations": [
		            {
		              "physicalLocation": {
		                "artifactLocation": {
		                  "uri": "packages/a/src/a.ts",
		                },
		                "region": {
		                  "endColumn": 6,
		                  "endLine": 9,
		                  "startColumn": 5,
		                  "startLine": 9,
		                },
		              },
		            },
		          ],
		          "message": {
		            "text": "No x.",
		          },
		          "ruleId": "no-x",
		          "ruleIndex": 1,
		        },
		      ],
		      "tool": {
		        "driver": {
		          "name": "pi-lsp",
		          "rules": [
		            {
		              "id": "ts2322",
		            },
		            {
		              "id": "no-x",
		            },
		          ],
		          "version": "1.2.3",
		        },
		      },
		    },
		  ],
		  "version": "2.1.0",
		}
	`);
});

describe("texts of a repository", () => {
	const hostile = file("::add-path::/tmp/x\n::error ::,y%.ts", [
		error(1, { message: `"]]>\u0000\ud800</failure>&\r\n::stop-commands::x\u001b[31m`, code: "a,b:c%\n" }),
	]);

	test("begin no line that a CI runner interprets", () => {
		for (const text of [concise(report(hostile), context), github(report(hostile), context), plain(report(hostile))])
			for (const line of text.split(/[\r\n]/).filter((each) => /^\s*(?:::|##)/.test(each)))
				expect(line).toMatch(
					/^::error file=packages\/a\/%3A%3Aadd-path%3A%3A\/tmp\/x%0A%3A%3Aerror %3A%3A%2Cy%25\.ts,line=1/,
				);
	});

	test("stay text in XML", () => {
		const xml = junit(report(hostile), context);
		expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
		expect(xml.isWellFormed()).toBe(true);
		expect(xml.match(/<\/failure>/g)).toHaveLength(1);
		expect(xml).toContain("&quot;]]&gt;");
	});

	test("stay a path in SARIF's URIs", () => {
		const { runs } = JSON.parse(sarif(report(hostile), context));
		const { uri } = runs[0].results[0].locations[0].physicalLocation.artifactLocation;
		expect(uri).toBe("packages/a/%3A%3Aadd-path%3A%3A/tmp/x%0A%3A%3Aerror%20%3A%3A%2Cy%25.ts");
	});
});

test.each([github, gitlab, junit, sarif])(
	"$name cuts a message of a megabyte, and a format for people does not",
	(format) => {
		const shown = (length: number) =>
			format(report(file("src/a.ts", [error(1, { message: "x".repeat(length) })])), context).length;
		expect(shown(1_000_000)).toBeLessThan(50_000);
		expect(shown(1_900)).toBeGreaterThan(1_900);
	},
);
