import process from "node:process";
import { isThere } from "../../test/live/languages.ts";
import { type Benchmark, type Figure, wrongAnswers } from "../figures.ts";
import { withOthers } from "../report.ts";
import { expectBuilt } from "../size/extension.ts";
import type { Step } from "./judge.ts";
import { runScript } from "./script.ts";
import type { Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";

/** A real pi breaks and repairs a project in each language; its tool results are judged. */
export const languages: Benchmark = {
	name: "languages",
	run: async (log) => {
		expectBuilt();
		const figures: Figure[] = [];
		const wanted = process.env.PI_LSP_BENCH_LANGUAGES?.split(",");
		for (const subject of subjects) {
			if (wanted && !wanted.includes(subject.language)) continue;
			const missing = subject.needs?.find((program) => !isThere(program));
			if (missing) {
				log(`${subject.language}: left out, ${missing} is not installed`);
				continue;
			}
			figures.push(await figureOf(subject, log));
		}
		const all = wanted ? withOthers("languages", figures) : figures;
		const place = ({ what }: Figure) => subjects.findIndex((subject) => titleOf(subject) === what);
		return all.sort((one, other) => place(one) - place(other));
	},
};

async function figureOf(subject: Subject, log: (line: string) => void): Promise<Figure> {
	const { language } = subject;
	const steps = await runScript(subject);
	const wrong = steps.filter(({ missing, invented }) => missing.length + invented.length > 0);
	for (const step of steps) log(`${language}, ${step.name}: ${wordsOf(step)}`);
	return wrongAnswers(titleOf(subject), wrong.length, steps.length);
}

function titleOf({ language, project }: Subject): string {
	return `${language} (${project}): steps reported wrongly`;
}

function wordsOf({ missing, invented, atOnce, unproven, text }: Step): string {
	const wrong = [
		...(missing.length > 0
			? [`${unproven ? "never reported, but called unproven" : "NEVER REPORTED"}: ${missing.join(", ")}`]
			: []),
		...(invented.length > 0 ? [`INVENTED: ${invented.join(", ")}`] : []),
	];
	if (wrong.length === 0) return atOnce ? "right" : "right, with a later result";
	return process.env.PI_LSP_BENCH_TEXTS ? `${wrong.join("; ")}\n${text}` : wrong.join("; ");
}
