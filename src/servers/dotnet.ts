import type { ServerConfig } from "../../server.ts";

const shared = {
	rootRule: "topmost",
	/** MSBuild runs the targets of a project file to learn what is in it. */
	runsRepositoryCode: true,
	wedgedSeconds: 120,
	idleMinutes: 30,
	prerequisites: ["dotnet"],
} as const;

/** C# and F#. */
export const dotnetServers: readonly ServerConfig[] = [
	{
		...shared,
		id: "csharp-ls",
		match: ["cs"],
		alternative: "csharp",
		command: "csharp-ls",
		args: [],
		rootMarkers: ["*.sln", "*.slnx", "*.csproj"],
		workspaceRoot: { files: ["*.sln", "*.slnx"] },
		languageId: "csharp",
		install: { dotnet: ["csharp-ls"] },
		homepage: "https://github.com/razzmatazz/csharp-language-server",
	},
	{
		...shared,
		id: "omnisharp",
		match: ["cs"],
		alternative: "csharp",
		command: "OmniSharp",
		args: ["-z", "DotNet:enablePackageRestore=false", "--encoding", "utf-8", "--languageserver"],
		candidates: [
			{
				command: "omnisharp",
				args: ["-z", "DotNet:enablePackageRestore=false", "--encoding", "utf-8", "--languageserver"],
			},
		],
		usedBy: { files: ["omnisharp.json"] },
		rootMarkers: ["*.sln", "*.slnx", "*.csproj", "omnisharp.json"],
		workspaceRoot: { files: ["*.sln", "*.slnx"] },
		languageId: "csharp",
		install: { url: "https://github.com/OmniSharp/omnisharp-roslyn/releases" },
		homepage: "https://github.com/OmniSharp/omnisharp-roslyn",
	},
	{
		...shared,
		id: "fsautocomplete",
		match: ["fs", "fsi", "fsx"],
		command: "fsautocomplete",
		args: ["--adaptive-lsp-server-enabled"],
		rootMarkers: ["*.sln", "*.slnx", "*.fsproj"],
		workspaceRoot: { files: ["*.sln", "*.slnx"] },
		looseFiles: true,
		languageId: "fsharp",
		initializationOptions: { AutomaticWorkspaceInit: true },
		install: { dotnet: ["fsautocomplete"] },
		homepage: "https://github.com/ionide/FsAutoComplete",
	},
];
