import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { oneOf, type ValueOf } from "../contract/schema.ts";
import { architectureText } from "../render/answers/architecture.ts";
import { mermaidOf, svgOf } from "../render/pictures/architecture.ts";

const defaultFolders = 30;

const Output = Type.Object({
	path: Type.String({ description: "The directory that it is about" }),
	files: Type.Integer({ description: "Sources without tests" }),
	tests: Type.Integer({ description: "Files of tests, which are left out of all else" }),
	languages: Type.Array(
		Type.Object({ name: Type.String({ description: "The end of their names" }), files: Type.Integer() }),
	),
	packages: Type.Array(
		Type.Object({
			name: Type.String(),
			path: Type.String(),
			kind: oneOf(["npm", "go", "cargo", "python"], "Of its manifest"),
			files: Type.Integer(),
			uses: Type.Array(Type.String(), { description: "Other packages here that its files import" }),
		}),
	),
	folders: Type.Array(
		Type.Object({
			path: Type.String({ description: "All below it; with / at the end only files directly in it" }),
			files: Type.Integer(),
			level: Type.Integer({ description: "0: it loads no other; else one above all that it loads, circles as one" }),
			uses: Type.Array(
				Type.Object({
					path: Type.String(),
					imports: Type.Integer({ description: "Of files" }),
					isUnloaded: Type.Optional(Type.Boolean({ description: "Only types, or later than the file" })),
				}),
				{ description: "The most used first" },
			),
		}),
		{ description: "The highest level first" },
	),
	circles: Type.Array(
		Type.Object({
			folders: Type.Array(Type.String(), { description: "The shortest way round" }),
			imports: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
				description: "For each step a file and what it imports",
			}),
			all: Type.Integer({ description: "Folders that reach each other" }),
		}),
		{ description: "By what is loaded: imports of types, and inside of functions in Python, do not count" },
	),
	entryPoints: Type.Array(Type.Object({ file: Type.String(), what: Type.String() })),
	hotSpots: Type.Array(
		Type.Object({
			symbol: Type.String(),
			kind: Type.String(),
			file: Type.String(),
			line: Type.Integer(),
			files: Type.Integer({ description: "Other files that refer to it, without tests" }),
			uses: Type.Integer(),
		}),
		{ description: "By the language server's references, of symbols whose names stand in most files" },
	),
	unread: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }), { description: "What is not known" }),
});

export type ArchitectureReport = ValueOf<typeof Output>;

export const architecture = defineOperation({
	name: "architecture",
	title: "Map of a project",
	description:
		"A map for a newcomer in at most 1,500 tokens: packages and folders with what they use, from the top down, circles of imports, entry points, and the symbols that most files refer to. Reads imports, asks servers for the last; a picture with mermaid or svg.",
	effect: "read",
	input: Type.Object({
		path: Type.Optional(Type.String({ description: "Only this directory (default: the workspace)" })),
		folders: Type.Optional(
			Type.Integer({
				minimum: 1,
				maximum: 500,
				description: `At most this many, the largest are split (default ${defaultFolders})`,
			}),
		),
		mermaid: Type.Optional(Type.Boolean({ description: "A diagram of the folders as Mermaid's text instead" })),
		svg: Type.Optional(Type.Boolean({ description: "A picture of the folders as SVG instead" })),
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
