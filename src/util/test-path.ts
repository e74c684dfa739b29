const testFolders = /(^|\/)(tests?|__tests__|__mocks__|specs?|testdata|e2e|androidTest|integration[-_]?tests?)\//i;
const testNames = [
	// a.test.ts, a.spec.js, a_test.go, a_test.py, a_spec.rb, a-test.exs
	/[._-](test|tests|spec|specs|e2e|cy)(\.[^./]+){1,2}$/i,
	// test_a.py, test-a.js, test.ts, tests.rs, conftest.py
	/^(tests?[._-].+|tests?\.[^.]+|conftest\.py)$/i,
	// FooTest.java, FooTests.cs, FooIT.java, FooSpec.scala
	/[\p{Ll}\p{N}](Test|Tests|TestCase|IT|Spec|Specs)\.[^.]+$/u,
];

/**
 * True for a file of tests, by the habits of the languages: its own name, or a folder that it stands in. `path` is relative
 * to the workspace, or a workspace that is itself called `test` would make everything one.
 */
export function isTestPath(path: string): boolean {
	const plain = path.replaceAll("\\", "/");
	const name = plain.slice(plain.lastIndexOf("/") + 1);
	return testFolders.test(plain) || testNames.some((pattern) => pattern.test(name));
}
