import { expect, test } from "vitest";
import { compilerError } from "../../src/builds/output/compiler-lines.ts";
import { jestReport } from "../../src/builds/output/jest.ts";
import { junitReport } from "../../src/builds/output/junit.ts";
import { plainOutput } from "../../src/builds/output/plain-output.ts";

/** The output of tools that are not on every machine, as public reports of them show it. */
function failuresIn(output: string) {
	const reader = plainOutput();
	for (const line of output.split("\n")) reader.line(line.trim());
	return reader.end().failures;
}

test("the recorded output of dotnet test of vstest (microsoft/vstest#285) gives the failure's message and location", () => {
	const output = `Starting test execution, please wait...
Passed   SampleUnitTestProject.UnitTest1.PassingTest
Failed   SampleUnitTestProject.UnitTest1.FailingTest
Error Message:
 Assert.AreEqual failed. Expected:<2>. Actual:<3>.
Stack Trace:
   at SampleUnitTestProject.UnitTest1.FailingTest() in /home/codito/tmp/samples/mstesttest/Tests.cs:line 29
Skipped  SampleUnitTestProject.UnitTest1.SkippingTest
Failed   SampleUnitTestProject.UnitTest1.FailingTestWithTraits
Error Message:
 Assert.Fail failed.
Stack Trace:
   at SampleUnitTestProject.UnitTest1.FailingTestWithTraits() in /home/codito/tmp/samples/mstesttest/Tests.cs:line 70
Test Run Failed.`;
	const file = "/home/codito/tmp/samples/mstesttest/Tests.cs";
	expect(failuresIn(output)).toEqual([
		{
			file,
			line: 29,
			test: "SampleUnitTestProject.UnitTest1.FailingTest",
			message: "Assert.AreEqual failed. Expected:<2>. Actual:<3>.",
		},
		{ file, line: 70, test: "SampleUnitTestProject.UnitTest1.FailingTestWithTraits", message: "Assert.Fail failed." },
	]);
});

test("the recorded outputs of swift test on Linux (nst/BinUtils#3) and of a compiler (inamiy/Cassowary#1) give their errors", () => {
	const output = `Test Case 'BinUtilsTests.testUnpack1' started at 11:38:50.496
/root/s/BinUtils/Tests/BinUtilsTests/BinUtilsTests.swift:56: error: BinUtilsTests.testUnpack1 : XCTAssertEqual failed: ("nil") is not equal to ("Optional("A")") -
Test Case 'BinUtilsTests.testUnpack1' failed (0.002 seconds)`;
	expect(failuresIn(output)).toEqual([
		{
			file: "/root/s/BinUtils/Tests/BinUtilsTests/BinUtilsTests.swift",
			line: 56,
			test: "BinUtilsTests.testUnpack1",
			message: 'XCTAssertEqual failed: ("nil") is not equal to ("Optional("A")") -',
		},
	]);
	const runner = "/home/felix/Documents/cassowary/Tests/SimplexTests/Fixtures/TestRunner.swift";
	expect(failuresIn(`${runner}:22:21: error: use of unresolved identifier 'XCTContext'`)).toEqual([
		{ file: runner, line: 22, column: 21, message: "use of unresolved identifier 'XCTContext'" },
	]);
});

test("the recorded outputs of zig build test of 0.16 (NixOS/nixpkgs#517746) and before (ziglang/zig#25562) give their failures", () => {
	const output = `mq run test 24 pass, 1 fail (25 total)
error: 'test.main.test.main' failed:
       expected 3, found 2
failed command: ./.zig-cache/o/9d92cd523e490fe794dcc4dd1036320f/test --cache-dir=./.zig-cache --seed=0x4a8f6428 --listen=-`;
	expect(failuresIn(output)).toEqual([{ test: "test.main.test.main", message: "expected 3, found 2" }]);
	const before = `error: 'main.test.oops' failed
src/main.zig:4:5: 0x103e25f in test.oops (test)`;
	expect(failuresIn(before)).toMatchObject([{ file: "src/main.zig", line: 4, column: 5, test: "main.test.oops" }]);
	expect(failuresIn("src/main.zig:112:7: error: expected type '[]const u8'")).toMatchObject([{ line: 112, column: 7 }]);
});

test.each([
	[
		"csc of dotnet build",
		"/src/app/Program.cs(12,5): error CS1002: ; expected [/src/app/app.csproj]",
		{ file: "/src/app/Program.cs", line: 12, column: 5, code: "CS1002", message: "; expected" },
	],
	[
		"Kotlin 1.8 and later",
		"e: file:///src/app/src/main/kotlin/App.kt:3:9 Unresolved reference: missing",
		{ file: "/src/app/src/main/kotlin/App.kt", line: 3, column: 9, message: "Unresolved reference: missing" },
	],
	[
		"mypy",
		'shop/cart.py:4:12: error: Incompatible return value type (got "str", expected "int")  [return-value]',
		{ file: "shop/cart.py", line: 4, column: 12, code: "return-value" },
	],
	[
		"pyright",
		'/src/shop/cart.py:4:12 - error: Type "str" is not assignable to return type "int" (reportReturnType)',
		{ file: "/src/shop/cart.py", line: 4, column: 12, code: "reportReturnType" },
	],
	["javac of Gradle", "/src/Cart.java:2: error: cannot find symbol", { file: "/src/Cart.java", line: 2 }],
	["a linker", "cart.c:2: undefined reference to `missing'", undefined],
] as const)("the documented output of %s gives its error", (_, line, expected) => {
	if (expected) expect(compilerError(line)).toMatchObject(expected);
	else expect(compilerError(line)).toBeUndefined();
});

test("a JUnit report may be cut off, quote angle brackets and hold CDATA", () => {
	const report = junitReport(
		'<testsuite><testcase name="a > b" classname="C"><failure message="1 &lt; 2&#10;no"><![CDATA[at C.java:3]]></failure></testcase>' +
			'<testcase name="skipped"><skipped/></testcase><testcase name="ok"/><testcase name="x"><error type="E"/></testcase><testcase name="cut',
	);
	expect(report.counts).toEqual({ passed: 2, failed: 2, skipped: 1 });
	expect(report.failed).toMatchObject([
		{ name: "a > b", group: "C", message: "1 < 2\nno", text: "at C.java:3" },
		{ name: "x", message: "" },
	]);
});

test("a report of jest --json as documented gives the location of the test where no line of its file is in the trace", () => {
	const file = "/src/shop/cart.test.js";
	const message =
		"Error: expect(received).toBe(expected)\n    at Object.toBe (/src/shop/cart.test.js:4:19)\n    at run (x.js:1:1)";
	const report = jestReport(
		JSON.stringify({
			testResults: [
				{
					name: file,
					status: "failed",
					assertionResults: [
						{ fullName: "cart adds", status: "failed", failureMessages: [message], location: { line: 3, column: 1 } },
						{ fullName: "cart waits", status: "failed", failureMessages: ["late"], location: { line: 9, column: 1 } },
						{ fullName: "cart is empty", status: "passed", failureMessages: [] },
						{ fullName: "cart later", status: "pending", failureMessages: [] },
					],
				},
				{ name: "/src/shop/broken.test.js", status: "failed", message: "SyntaxError", assertionResults: [] },
			],
		}),
	);
	expect(report.counts).toEqual({ passed: 1, failed: 2, skipped: 1 });
	expect(report.failures).toEqual([
		{ file, line: 4, column: 19, test: "cart adds", message: "Error: expect(received).toBe(expected)" },
		{ file, line: 9, column: 1, test: "cart waits", message: "late" },
		{ file: "/src/shop/broken.test.js", message: "SyntaxError" },
	]);
});
