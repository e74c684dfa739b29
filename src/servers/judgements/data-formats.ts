import { unreachable } from "../unreachable.ts";
import type { Judgements } from "./judgement.ts";

export const dataFormatJudgements: Judgements = {
	"yaml-language-server": {
		runs: "nothing: custom tags and schemas are data",
		reads: "schemas that `# yaml-language-server: $schema=` names as files, refused without trust",
		writes: "nothing",
		fetches:
			"schemas that the modeline or `$schema` names by URL, refused without trust; the schema store is switched off",
		needs: {
			settings: { yaml: { schemaStore: { enable: false, url: "" } }, redhat: { telemetry: { enabled: false } } },
			ours: "its requests for schemas are answered by us or refused",
		},
		source: [
			"redhat-developer/yaml-language-server src/languageservice/services/schemaRequestHandler.ts:97",
			"redhat-developer/yaml-language-server src/languageserver/handlers/settingsHandlers.ts:253",
		],
	},
	taplo: {
		runs: "nothing: TOML and schemas are data",
		reads: "schemas that `#:schema` and .taplo.toml name as files, taplo.toml of parents",
		writes: "nothing: its cache of schemas is off",
		fetches:
			"catalogues and the schemas that `#:schema` and `$schema` name, before the setting that switches it off is asked for",
		needs: "trust",
		source: [
			"tamasfe/taplo crates/taplo-lsp/src/handlers/initialize.rs:117",
			"tamasfe/taplo crates/taplo-common/src/schema/mod.rs:271",
		],
	},
	tombi: {
		runs: "nothing: it formats and checks TOML itself",
		reads:
			"schemas that `#:schema` and tombi.toml name as files, outside of the workspace refused without trust; its configuration of the person",
		writes: "only its own cache of schemas",
		fetches: "schemas by URL, crates.io and PyPI for versions; all refused offline",
		needs: { args: ["--offline"], ours: "a text whose schema is outside of the workspace is not shown to it" },
		source: [
			"tombi-toml/tombi crates/tombi-schema-store/src/store.rs:387",
			"tombi-toml/tombi rust/tombi-cli/src/app/command/lsp.rs:23",
		],
	},
	lemminx: {
		runs: "nothing: XSD, DTD and RelaxNG are data; extensions come from its own class path",
		reads: "schemas and DTDs that a document names as files, catalogues of its settings; external entities are not",
		writes: "only its own cache of schemas in ~/.lemminx",
		fetches: "schemas that a document names by URL, switched off",
		needs: {
			initializationOptions: {
				settings: {
					xml: { validation: { resolveExternalEntities: false }, downloadExternalResources: { enabled: false } },
				},
			},
		},
		source: [
			"eclipse-lemminx/lemminx org.eclipse.lemminx/src/main/java/org/eclipse/lemminx/uriresolver/CacheResourcesManager.java:163",
			"eclipse-lemminx/lemminx org.eclipse.lemminx/src/main/java/org/eclipse/lemminx/extensions/contentmodel/participants/diagnostics/LSPXMLParserConfiguration.java:63",
		],
	},
	buf: {
		runs: "check plugins that buf.yaml and buf.policy.yaml name, as programs, whenever a file builds",
		reads: "buf's configuration and credentials of the person, buf.yaml of parents",
		writes: "only its own cache of modules",
		fetches: "modules of buf.lock and buf.yaml, from the host in their name",
		needs: "trust",
		source: [
			"bufbuild/buf private/bufpkg/bufcheck/runner_provider.go:40",
			"bufbuild/buf private/buf/buflsp/file.go:1163",
			"test/traces/recorded.json",
		],
	},
	protols: {
		runs: "the protoc and clang-format that protols.toml names, on open and save",
		reads: "include_paths of protols.toml, protobuf's headers by pkg-config",
		writes: "nothing; to format, a temporary file",
		fetches: "nothing",
		needs: { unless: ["protols.toml", ".protols.toml"] },
		source: ["coder3101/protols src/protoc.rs:13", "coder3101/protols src/config/workspace.rs:14"],
	},
	"prisma-language-server": {
		runs: "prisma.config.ts or .js and .config/prisma.*, a program, on every check of a schema",
		reads: "schema files of the directory",
		writes:
			"what its loader keeps of a configuration: a copy in the workspace's node_modules/.cache or a temporary directory",
		fetches: "nothing",
		needs: "trust",
		source: ["prisma/language-tools packages/language-server/src/lib/Schema.ts:62", "test/traces/recorded.json"],
	},
	"postgres-language-server": {
		runs: "statements it prepares in the database that its configuration names",
		reads: "its configuration of parents and what `extends` names",
		writes: "logs in its cache",
		fetches: "the database at the host of postgres-language-server.jsonc, with the password there",
		needs: "trust",
		source: [
			"supabase-community/postgres-language-server crates/pgls_workspace/src/workspace/server/connection_manager.rs:112",
		],
	},
	sqls: {
		runs: "nothing: SQL is parsed; queries only by a command",
		reads: "~/.config/sqls/config.yml of the person; no file of the workspace",
		writes: "only its own: its log where the person names one",
		fetches: "only its own: the databases of the person's configuration",
		needs: "nothing",
		source: ["sqls-server/sqls internal/handler/handler.go:424", "sqls-server/sqls internal/config/config.go:20"],
	},
	"jsonnet-language-server": {
		runs: "nothing outside of Jsonnet's own evaluation, which knows no programs and no network",
		reads: "files that `import` and `importstr` name, also outside, JSONNET_PATH",
		writes: "nothing",
		fetches: "nothing",
		needs: "nothing",
		source: ["grafana/jsonnet-language-server pkg/server/server.go:68"],
	},
	cue: {
		runs: "nothing: `cue cmd` and validators of --extconfig are not run; evaluation knows no programs",
		reads: "CUE's configuration and credentials of the person, its module cache",
		writes: "only its own module cache",
		fetches: "modules of cue.mod from the registry that the person's CUE_REGISTRY names, not reached without trust",
		needs: { environment: unreachable },
		source: ["cue-lang/cue internal/lsp/cache/cache.go:20", "cue-lang/cue cmd/cue/cmd/lsp.go:115"],
	},
	"dhall-lsp-server": {
		runs: "imports when a file is checked: values of environment variables may go into an address or its headers",
		reads: "files that imports name, also outside, variables of the environment",
		writes: "~/.cache/dhall",
		fetches: "imports by URL, with the headers that the file says",
		needs: "trust",
		source: ["dhall-lang/dhall-haskell dhall-lsp-server/src/Dhall/LSP/Backend/Dhall.hs:161"],
	},
	"solidity-language-server": {
		runs: "the project's Hardhat with hardhat.config in a worker, forge and ape of PATH, at start",
		reads: "node_modules of parents, ~/.foundry",
		writes: "compilers in its cache",
		fetches: "compilers of Solidity from their own host; telemetry where a client allows it",
		needs: "trust",
		source: [
			"NomicFoundation/hardhat-vscode server/src/frameworks/Hardhat/Hardhat2/Hardhat2Project.ts:93",
			"NomicFoundation/hardhat-vscode server/src/frameworks/Foundry/FoundryProject.ts:55",
		],
	},
	solc: {
		runs: "nothing: it compiles in its own process and starts no solver",
		reads:
			"files that `import` names, also outside by absolute path, all .sol files below the root, also through links",
		writes: "nothing",
		fetches: "nothing: an import of a URL is not found",
		needs: "nothing",
		source: [
			"ethereum/solidity libsolidity/lsp/FileRepository.cpp:106",
			"ethereum/solidity libsolidity/lsp/LanguageServer.cpp:227",
		],
	},
};
