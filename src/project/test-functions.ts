import { extname } from "node:path";

const marks: readonly {
	readonly extensions: RegExp;
	readonly name?: RegExp;
	readonly above?: RegExp;
}[] = [
	{ extensions: /^\.go$/, name: /^(?:Test|Benchmark|Fuzz|Example)(?!\p{Ll})/u },
	{ extensions: /^\.pyi?$/, name: /^test/ },
	{ extensions: /^\.rs$/, above: /^[ \t]*#\[(?:\w+::)*(?:r?s?test|test_case)\b/m },
	{
		extensions: /^\.(?:java|kts?|scala|groovy)$/,
		above: /@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b/,
	},
	{ extensions: /^\.cs$/, above: /\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/ },
	{ extensions: /^\.swift$/, name: /^test/, above: /@Test\b/ },
	{ extensions: /^\.php$/, name: /^test/, above: /#\[Test\b|@test\b/ },
];

/** Rust's tests in comments: `src/lib.rs - Cart (line 3)`. */
export const rustDocTests = "(line ";

/** In characters. */
export const maxTestTitle = 200;

const maxHead = 2000;

/** `text` has what stands above. Names count only in test files (`isTest`). */
export function isTestFunction(path: string, symbol: string, text: string, isTest: boolean): boolean {
	const mark = markOf(path);
	const name = symbol.slice(symbol.lastIndexOf(".") + 1);
	if (!mark) return false;
	if (isTest && mark.name?.test(name)) return true;
	const head = text.slice(0, maxHead);
	const end = head.indexOf(name);
	return mark.above?.test(end < 0 ? head : head.slice(0, end)) === true;
}

/** True if something in the whole text is marked as a test, whatever its name. */
export function marksTest(path: string, text: string): boolean {
	return markOf(path)?.above?.test(text) === true;
}

function markOf(path: string): (typeof marks)[number] | undefined {
	return marks.find(({ extensions }) => extensions.test(extname(path)));
}
