import type { Judgements } from "./judgement.ts";

export const dotnetJudgements: Judgements = {
	"csharp-ls": {
		runs: "MSBuild's evaluation and design-time targets of the projects; analyzers and source generators that they reference",
		reads: "SDKs, NuGet's packages, Directory.Build.props of all parents",
		writes: "obj in the workspace",
		fetches: "nothing by itself; targets and NuGet's restore may",
		needs: "trust",
		source: ["razzmatazz/csharp-language-server src/CSharpLanguageServer/Roslyn/Solution.fs:266"],
	},
	omnisharp: {
		runs: "design-time targets of each project by MSBuild, analyzers, scripts and plugins that omnisharp.json names",
		reads: "SDKs, NuGet's packages, ~/.omnisharp, Directory.Build.props of all parents",
		writes: "obj in the workspace",
		fetches: "packages by restore, which enablePackageRestore=false switches off",
		needs: "trust",
		source: ["OmniSharp/omnisharp-roslyn src/OmniSharp.MSBuild/ProjectLoader.cs:102"],
	},
	fsautocomplete: {
		runs: "design-time builds of the projects through Ionide.ProjInfo, type providers, analyzers, #r of scripts",
		reads: "SDKs, NuGet's packages, paket files",
		writes: "obj in the workspace, packages that scripts reference",
		fetches: "packages that `#r nuget:` and restore name",
		needs: "trust",
		source: ["ionide/FsAutoComplete src/FsAutoComplete/LspServers/AdaptiveServerState.fs:1041"],
	},
};
