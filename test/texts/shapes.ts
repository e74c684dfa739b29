const megabyte = 2 ** 20;

/** Pieces that, one behind the other, make a reader look far ahead or far back, in the languages and formats that are read. */
const pieces = [
	"a",
	" ",
	"\n",
	"a\n",
	"\r",
	"\t\n",
	"/*",
	"//",
	"# ",
	"(",
	"[",
	"{",
	"<",
	'"',
	"'",
	"`${",
	"\\",
	"\\\n",
	"*a",
	"a.",
	"../",
	'from "',
	"import type ",
	"import a\n",
	"import * as a from ",
	"export { a as b, ",
	"from a import (",
	"* as a ",
	'{"a":',
	'"a":1,\n',
	"a = [\n",
	'a = "b" #',
	"use a::{",
	"export * ",
	"@@",
	"\u2028",
	"\ud800",
	"é",
	"Content-Length: ",
	"[a](file:///",
	"<!--",
	"1:a:",
	"/*\n",
	"#if 0\n",
	"use a\n",
	"export{",
	"import {",
	"<!--\n",
	'"""\n',
	"<a ",
	"a<",
	"#[a\n",
];

/** Texts that occur once, in front of a megabyte of blanks. */
const heads = ["import", "import (", "export *", "a = [", "/*", "from a import"];

/** Texts of a megabyte, by their content as it is written in a program. */
export const hostileTexts: ReadonlyMap<string, string> = new Map([
	...pieces.map((piece): [string, string] => [
		JSON.stringify(piece),
		piece.repeat(Math.ceil(megabyte / piece.length)).slice(0, megabyte),
	]),
	...heads.map((head): [string, string] => [`${head} and blanks`, head + " ".repeat(megabyte)]),
]);
