import type { Judgements } from "./judgement.ts";

const noTypesFromNpm = { disableAutomaticTypeAcquisition: true };

export const typescriptJudgements: Judgements = {
	typescript: {
		runs: "nothing: it loads no plugins; `npm install` for types of imported packages is switched off",
		reads: "package.json, tsconfig.json and node_modules of all parents, what `extends` and `paths` name",
		writes: "nothing; with types from npm its own cache",
		fetches: "types of imported packages from npm's registry, switched off",
		needs: { settings: { typescript: noTypesFromNpm, javascript: noTypesFromNpm } },
		source: ["microsoft/typescript-go internal/project/ata/ata.go:43", "test/live/downloads.test.ts"],
	},
	"typescript-language-server": {
		runs: "the tsserver at `tsserver.path`, which is ours; plugins of tsconfig.json are looked for beside that one only",
		reads: "package.json, tsconfig.json and node_modules of all parents, what `extends` names",
		writes: "only its own: files by which requests are cancelled, in the temporary directory",
		fetches: "types of imported packages from npm's registry, switched off",
		needs: {
			initializationOptions: {
				disableAutomaticTypingAcquisition: true,
				plugins: [],
				tsserver: { path: "{package:typescript-5}/lib/tsserver.js" },
			},
		},
		source: [
			"typescript-language-server/typescript-language-server src/tsServer/spawner.ts:178",
			"microsoft/TypeScript lib/typescript.js:189301",
		],
	},
	vtsls: {
		runs: "the TypeScript of the project's node_modules and the plugins of tsconfig.json, at start",
		reads: "node_modules of all parents",
		writes: "only its own: files by which requests are cancelled, in the temporary directory",
		fetches: "types of imported packages from npm's registry, unless switched off",
		needs: "trust",
		source: ["test/traces/recorded.json", "yioneko/vtsls packages/service/src/service/pkgJson.ts:20"],
	},
	deno: {
		runs: "lint plugins of deno.json when a file is linted, switched off; scripts of npm packages never",
		reads: "deno.json, package.json, .npmrc of all parents and of the home directory, its cache of modules",
		writes: "only its own cache of modules; a save would add to it, switched off",
		fetches:
			"imports on save and what hosts of imports offer to complete, both switched off; names of packages at jsr.io and npm",
		needs: {
			initializationOptions: { lint: false, cacheOnSave: false, suggest: { imports: { autoDiscover: false } } },
			settings: { deno: { lint: false, cacheOnSave: false, suggest: { imports: { autoDiscover: false } } } },
		},
		source: [
			"denoland/deno cli/lsp/lint.rs:135",
			"denoland/deno cli/lsp/completions.rs:95",
			"denoland/deno cli/lsp/resolver.rs:1133",
		],
	},
};
