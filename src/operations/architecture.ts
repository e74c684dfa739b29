import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { architectureText } from "../render/answers/architecture.ts";
import { mermaidOf, svgOf } from "../render/pictures/architecture.ts";

const defaultFolders = 30;

const Output = t.object({
	path: t.text("The directory that it is about"),
	files: t.integer("Sources without tests"),
	tests: t.integer("Files of tests, which are left out of all else"),
	languages: t.objects({ name: t.text("The end of their names"), files: t.integer() }),
	packages: t.objects({
		name: t.text(),
		path: t.text(),
		kind: t.oneOf(["npm", "go", "cargo", "python"], "Of its manifest"),
		files: t.integer(),
		uses: t.texts("Other packages here that its files import"),
	}),
	folders: t.objects("The highest level first", {
		path: t.text("All below it; with / at the end only files directly in it"),
		files: t.integer(),
		level: t.integer("0: it loads no other; else one above all that it loads, circles as one"),
		uses: t.objects("The most used first", {
			path: t.text(),
			imports: t.integer("Of files"),
			isUnloaded: t.optional.flag("Only types, or later than the file"),
		}),
	}),
	circles: t.objects("By what is loaded: imports of types, and inside of functions in Python, do not count", {
		folders: t.texts("The shortest way round"),
		imports: t.objects("For each step a file and what it imports", { from: t.text(), to: t.text() }),
		all: t.integer("Folders that reach each other"),
	}),
	entryPoints: t.objects({ file: t.text(), what: t.text() }),
	hotSpots: t.objects("By the language server's references, of symbols whose names stand in most files", {
		symbol: t.text(),
		kind: t.text(),
		file: t.text(),
		line: t.integer(),
		files: t.integer("Other files that refer to it, without tests"),
		uses: t.integer(),
	}),
	unread: t.objects("What is not known", { path: t.text(), reason: t.text() }),
});

export type ArchitectureReport = ValueOf<typeof Output>;

export const architecture = defineOperation({
	name: "architecture",
	title: "Map of a project",
	description:
		"A map for a newcomer in at most 1,500 tokens: packages and folders with what they use, from the top down, circles of imports, entry points, and the symbols that most files refer to. Reads imports, asks servers for the last; a picture with mermaid or svg.",
	effect: "read",
	input: t.object({
		path: t.optional.text("Only this directory (default: the workspace)"),
		folders: t.optional.positive(`At most this many, the largest are split (default ${defaultFolders})`, {
			maximum: 500,
		}),
		mermaid: t.optional.flag("A diagram of the folders as Mermaid's text instead"),
		svg: t.optional.flag("A picture of the folders as SVG instead"),
	}),
	output: Output,
	positional: ["path"],
	example: {
		input: {},
		output: {
			path: ".",
			files: 12,
			tests: 3,
			languages: [{ name: "ts", files: 12 }],
			packages: [{ name: "shop", path: ".", kind: "npm", files: 12, uses: [] }],
			folders: [
				{ path: "src/cli", files: 2, level: 2, uses: [{ path: "src/cart", imports: 3 }] },
				{ path: "src/cart", files: 6, level: 1, uses: [{ path: "src/money", imports: 5 }] },
				{ path: "src/money", files: 4, level: 0, uses: [] },
			],
			circles: [],
			entryPoints: [{ file: "src/cli/main.ts", what: "bin shop" }],
			hotSpots: [{ symbol: "round", kind: "function", file: "src/money/round.ts", line: 3, files: 7, uses: 19 }],
			unread: [],
		},
	},
	run: ({ path, folders = defaultFolders }, on) => on.architecture({ path, maxFolders: folders }),
	render: (output, { mermaid, svg }) => (svg ? svgOf(output) : mermaid ? mermaidOf(output) : architectureText(output)),
});
