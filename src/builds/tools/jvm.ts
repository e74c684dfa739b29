import { basename, join } from "node:path";
import { statOf } from "../../util/files.ts";
import type { ChosenTests, CommandContext, ProjectTool } from "../tool.ts";

const gradleFiles = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

export const gradle: ProjectTool = {
	id: "gradle",
	languages: ["kotlin", "java", "groovy"],
	async command(job, place) {
		if (!gradleFiles.some((name) => place.names.has(name))) return undefined;
		const program = (await wrapper(place, "gradlew")) ?? "gradle";
		// The daemon would go on running.
		const always = ["--quiet", "--no-daemon", "--console=plain"];
		if (job === "build") return { words: [program, "build", "-x", "test", ...always] };
		const { chosen = [] } = place;
		const isWhole = chosen.some(({ isDirectory }) => isDirectory);
		const selected = isWhole ? [] : chosen.flatMap((each) => testsOf(each, ".")).flatMap((test) => ["--tests", test]);
		return {
			words: [program, "test", "--continue", ...always, ...selected],
			report: { form: "junit", below: "build/test-results/test" },
			...(isWhole ? { selects: false } : {}),
		};
	},
};

export const maven: ProjectTool = {
	id: "maven",
	languages: ["java", "kotlin"],
	async command(job, place) {
		if (!place.names.has("pom.xml")) return undefined;
		const program = (await wrapper(place, "mvnw")) ?? "mvn";
		const always = ["--batch-mode", "--quiet"];
		if (job === "build") return { words: [program, ...always, "test-compile"] };
		const { chosen = [] } = place;
		const isWhole = chosen.some(({ isDirectory }) => isDirectory);
		const tests = isWhole ? [] : chosen.flatMap((each) => testsOf(each, "#"));
		const selected = tests.length === 0 ? [] : [`-Dtest=${tests.join(",")}`, "-Dsurefire.failIfNoSpecifiedTests=false"];
		return {
			words: [program, ...always, "--fail-at-end", "test", ...selected],
			report: { form: "junit", below: "target/surefire-reports" },
			...(isWhole ? { selects: false } : {}),
		};
	},
};

async function wrapper({ directory }: CommandContext, name: string): Promise<string | undefined> {
	return (await statOf(join(directory, name)))?.isFile() ? `./${name}` : undefined;
}

function testsOf({ file, tests }: ChosenTests, separator: string): string[] {
	const type = basename(file).replace(/\.\w+$/, "");
	const methods = tests.map((test) => test.slice(test.lastIndexOf(".") + 1));
	const prefix = separator === "." ? `*${type}` : type;
	return methods.length === 0 ? [prefix] : methods.map((method) => `${prefix}${separator}${method}`);
}
