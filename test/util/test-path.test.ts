import { expect, test } from "vitest";
import { isTestPath } from "../../src/util/test-path.ts";

test.each([
	"test/a.ts",
	"tests/a.py",
	"src/__tests__/a.tsx",
	"spec/models/user_spec.rb",
	"src/test/java/com/x/A.java",
	"pkg/testdata/in.go",
	"e2e/login.ts",
	"src/a.test.ts",
	"src/a.spec.js",
	"src/a.test.d.ts",
	"pkg/a_test.go",
	"test_a.py",
	"pkg/a_test.py",
	"conftest.py",
	"src/tests.rs",
	"src/test.ts",
	"src/UserTest.java",
	"src/UserTests.cs",
	"src/UserIT.java",
	"src/UserSpec.scala",
	"test\\a.ts",
])("%s is of tests", (path) => expect(isTestPath(path)).toBe(true));

test.each([
	"src/a.ts",
	"src/testing.ts",
	"src/attest.go",
	"src/latest/a.ts",
	"src/contest.ts",
	"src/protest_a.py",
	"src/manifest.json",
	"src/specification.md",
	"src/AUDIT.java",
	"src/inspect.rb",
	"src/special/a.ts",
])("%s is not", (path) => expect(isTestPath(path)).toBe(false));
