import { expect, test } from "vitest";
import { isTestPath, subjectOf } from "../../src/project/test-paths.ts";

test.each([
	"src/a.test.d.ts",
	"test\\a.ts",
	"src/cart.test.ts",
	"src/cart.spec.tsx",
	"cart_test.go",
	"pkg/test_cart.py",
	"conftest.py",
	"src/test/java/CartTest.java",
	"Cart.Tests/CartTests.cs",
	"spec/cart_spec.rb",
	"src/__tests__/cart.ts",
	"tests/data/cart.json",
	"e2e/login.ts",
	"TestCart.java",
	"HTTPTest.java",
	"KTest.kt",
	"test.js",
])("%s is a test", (path) => expect(isTestPath(path)).toBe(true));

test.each([
	"src/cart.ts",
	"src/latest.ts",
	"src/contest.py",
	"src/attest/index.ts",
	"src/Testament.java",
	"src/render/answers/tests.ts",
	"src/specification/parse.ts",
	"protest/a.go",
	"src/test-paths.ts",
	"src/OpenAPISpec.ts",
	"src/GREATEST.ts",
])("%s is no test", (path) => expect(isTestPath(path)).toBe(false));

test.each([
	["src/cart.test.ts", "cart"],
	["test_cart.py", "cart"],
	["cart_test.go", "cart"],
	["CartTest.java", "cart"],
	["CartTests.cs", "cart"],
	["HTTPTest.java", "http"],
	["KTest.kt", "k"],
	["TestCart.java", "cart"],
	["cart.ts", "cart"],
	["shop/cart.unit.spec.ts", "cart"],
	["test.js", "test"],
	[".eslintrc", ".eslintrc"],
])("%s is a test of %s by its name", (path, subject) => expect(subjectOf(path)).toBe(subject));
