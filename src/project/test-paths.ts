const directories = /(?:^|\/)(?:tests?|__tests__|e2e|test[_-]?data)\//i;

const names = [
	// a.test.ts, a-test.el, a_spec.rb
	/[._-](?:tests?|specs?|e2e|cy)(?:\.[^./]+){1,2}$/i,
	// test_a.py
	/^tests?_[^/]*\.[^./]+$/i,
	// ATest.java, HTTPTests.cs, CartSpec.scala; TestA.java
	/(?:[A-Za-z\d](?:Tests?|TestCase)|[a-z\d](?:Specs?|IT))\.[^./]+$/,
	/^Tests?[A-Z][^/]*\.(?:java|kt|kts|cs|swift|scala|groovy|php)$/,
	/^(?:(?:conftest|tests?)\.py|test\.[cm]?[jt]sx?|tests\.rs|(?:spec|test)_helper\.rb)$/,
];

export function isTestPath(path: string): boolean {
	const plain = path.replaceAll("\\", "/");
	const name = plain.slice(plain.lastIndexOf("/") + 1);
	return names.some((pattern) => pattern.test(name)) || directories.test(plain);
}

/** `cart` for `cart.test.ts`, `test_cart.py`, `CartTest.java`. */
export function subjectOf(path: string): string {
	const name = path.slice(path.lastIndexOf("/") + 1);
	const stem = name.replace(/(?<=.)\.[^.]+$/, "");
	const bare = stem
		.replace(/[._-](?:tests?|specs?|e2e|cy|unit|integration)(?=[._-]|$)/gi, "")
		.replace(/^tests?_/i, "")
		.replace(/(?<=[A-Za-z\d])(?:Tests?|TestCase)$|(?<=[a-z\d])(?:Specs?|IT)$/, "")
		.replace(/^Tests?(?=[A-Z])/, "");
	return (bare || stem).toLowerCase();
}

const prose =
	/(?:\.(?:md|mdx|rst|adoc|png|svg|gif|jpe?g|ico|webp)|(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CHANGELOG|\.gitignore|\.gitattributes|\.editorconfig|\.mailmap)[^/]*)$/i;

/** True if no test reads the file. */
export function isProse(path: string): boolean {
	return prose.test(path) && !isTestPath(path);
}
