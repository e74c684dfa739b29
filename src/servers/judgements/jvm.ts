import type { Judgements } from "./judgement.ts";

export const jvmJudgements: Judgements = {
	jdtls: {
		runs: "Gradle (wrapper, build.gradle) and Maven with extensions and annotation processors, on import at start",
		reads: "JDKs, ~/.m2, ~/.gradle",
		writes: ".classpath, .project, .settings and bin in the workspace, its data directory",
		fetches: "Gradle itself by gradle-wrapper.properties, dependencies from repositories that the build names",
		needs: "trust",
		source: [
			"eclipse-jdtls/eclipse.jdt.ls org.eclipse.jdt.ls.core/src/org/eclipse/jdt/ls/core/internal/managers/GradleProjectImporter.java:495",
		],
	},
	"kotlin-lsp": {
		runs: "Gradle through its tooling API, Maven, and what workspace.json names, on import at start",
		reads: "JDKs, ~/.m2, ~/.gradle",
		writes: ".gradle and build in the workspace, its own indexes",
		fetches: "Gradle's distribution and dependencies from repositories that the build names",
		needs: "trust",
		source: ["Kotlin/kotlin-lsp workspace-import/src/com/jetbrains/ls/imports/gradle/GradleWorkspaceImporter.kt:63"],
	},
	"kotlin-language-server": {
		runs: "gradlew, mvnw and the script kls-classpath of the workspace, to learn the classpath",
		reads: "~/.m2, ~/.gradle, a kls-classpath of the person's configuration",
		writes: "build and .gradle by Gradle, kls_database.db where it is told to",
		fetches: "what Gradle and Maven download for the build",
		needs: "trust",
		source: [
			"fwcd/kotlin-language-server shared/src/main/kotlin/org/javacs/kt/classpath/GradleClassPathResolver.kt:65",
			"fwcd/kotlin-language-server shared/src/main/kotlin/org/javacs/kt/classpath/ShellClassPathResolver.kt:34",
		],
	},
	metals: {
		runs: "sbt, Mill, Gradle, Maven, scala-cli to import the build, the program of .bsp/*.json, compiler plugins and macros",
		reads: "~/.ivy2, ~/.m2, coursier's cache",
		writes: ".metals, .bloop, project/metals.sbt and target in the workspace",
		fetches: "build tools, compilers and dependencies from repositories that the build names",
		needs: "trust",
		source: ["scalameta/metals metals/src/main/scala/scala/meta/internal/builds/ShellRunner.scala:97"],
	},
	"groovy-language-server": {
		runs: "Groovy's compiler up to canonicalization: AST transformations and @Grab of what it reads",
		reads: "jars of its classpath setting",
		writes: "~/.groovy/grapes, where @Grab puts what it fetched",
		fetches: "what @Grab and @GrabResolver name",
		needs: "trust",
		source: ["GroovyLanguageServer/groovy-language-server src/main/java/net/prominic/groovyls/GroovyServices.java:468"],
	},
	"clojure-lsp": {
		runs: "clojure, lein, bb or the classpath-cmd of .lsp/config.edn, at start",
		reads: "~/.config/clojure-lsp, ~/.m2, jars of the classpath",
		writes: ".lsp/.cache and .clj-kondo in the workspace",
		fetches: "dependencies by those tools, a JDK's sources where it is told to",
		needs: "trust",
		source: ["clojure-lsp/clojure-lsp lib/src/clojure_lsp/classpath.clj:110"],
	},
};
