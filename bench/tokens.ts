import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { withMcp } from "../test/faces/mcp/client.ts";
import { isThere } from "../test/live/languages.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { type Files, type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { type Benchmark, type Figure, wrongAnswers } from "./figures.ts";
import { exactly } from "./statistics.ts";
import { type AgentFormat, type AskAgent, withAgentLsp } from "./tokens/agent-lsp.ts";
import { editResults } from "./tokens/fix-handles.ts";
import { type Place, type TokenQuestion, tokenQuestions } from "./tokens/questions.ts";
import { npmPackage } from "./truth/packages.ts";

const rxjs = { name: "rxjs", version: "7.8.2" };
/** Of agent-lsp's JSON, and of the shell's output. */
const shares = { json: 1 / 2, recipe: 1 / 10 };

/**
 * The size of an answer in tokens of o200k_base: twenty questions about RxJS, to pi-lsp and to agent-lsp over MCP with the
 * same language server behind both, and to grep and cat.
 */
export const tokens: Benchmark = {
	name: "tokens",
	run: async (log) => {
		const files = rxjsProject();
		log(`${tokenQuestions.length} questions about ${rxjs.name} ${rxjs.version}, ${Object.keys(files).length} files`);
		const asked = tokenQuestions.map((question) => ({ question, where: whereIs(question, files) }));
		return withWorkspace(files, async (ws) => {
			// Both sides use the project's own compiler, which typescript-language-server looks for here.
			mkdirSync(ws.path("node_modules"));
			symlinkSync(join(REPOSITORY, "node_modules/typescript-5"), ws.path("node_modules/typescript"));
			const ours = await ourAnswers(ws, asked);
			const handles = handlesFigure(await editResults(ws));
			const recipe = tokenQuestions.map((question) => question.recipe.map((line) => shell(line, ws)).join(""));
			if (!isThere("agent-lsp")) {
				log("left out: agent-lsp is not installed (node scripts/install-servers.mjs)");
				return [...figuresOf(asked, { ours, recipe }), handles];
			}
			const gcf = await theirAnswers(ws, asked, "gcf");
			const json = await theirAnswers(ws, asked, "json");
			return [...figuresOf(asked, { ours, recipe, gcf, json }), handles];
		});
	},
};

/** The sources of the package, as a TypeScript 5.9 project. */
function rxjsProject(): Files {
	const sources = npmPackage(rxjs.name, rxjs.version, (path) => path.startsWith("src/") && path.endsWith(".ts"));
	const compilerOptions = {
		target: "es2019",
		module: "commonjs",
		moduleResolution: "node10",
		strict: true,
		noEmit: true,
		lib: ["es2020", "dom"],
		types: [],
	};
	return {
		...sources,
		"package.json": `${JSON.stringify({ ...rxjs, private: true, devDependencies: { typescript: "~5.9.3" } })}\n`,
		"tsconfig.json": `${JSON.stringify({ compilerOptions, include: ["src/**/*.ts"] })}\n`,
	};
}

interface Where {
	readonly file: string;
	/** 1-based. */
	readonly line: number;
	/** 1-based. */
	readonly column: number;
	readonly symbol: string;
}

interface Asked {
	readonly question: TokenQuestion;
	readonly where: Where | undefined;
}

function whereIs({ place }: TokenQuestion, files: Files): Where | undefined {
	return place && found(place, files[place.file] ?? "");
}

function found({ file, line: part, word }: Place, text: string): Where {
	const lines = text.split("\n");
	const line = lines.findIndex((each) => each.includes(part));
	const column = new RegExp(`\\b${word}\\b`).exec(lines[line] ?? "")?.index ?? -1;
	if (line < 0 || column < 0) throw new Error(`${file} has no "${word}" in a line with "${part}"`);
	return { file, line: line + 1, column: column + 1, symbol: word };
}

function ourAnswers(ws: Workspace, asked: readonly Asked[]): Promise<string[]> {
	return withMcp(ws, { args: ["--profile", "all"] }, async ({ text }) => {
		const answers: string[] = [];
		for (const { question, where } of asked) {
			const { file, line, symbol } = where ?? {};
			const at = where ? { file, line, symbol } : {};
			answers.push(await text(`lsp_${question.operation}`, { ...at, ...question.input }));
		}
		return answers;
	});
}

function theirAnswers(ws: Workspace, asked: readonly Asked[], format: AgentFormat): Promise<string[]> {
	const put = (ask: AskAgent, { question, where }: Asked) => {
		const { file_path: named, ...more } = (question.more ?? {}) as { readonly file_path?: string };
		const file = named ?? where?.file;
		const at = where ? { line: where.line, column: where.column } : {};
		return ask(question.tool, { ...(file ? { file_path: ws.path(file) } : {}), ...at, ...more });
	};
	const [first] = asked as [Asked];
	const isReady = async (ask: AskAgent) => answers(await put(ask, first), first.question);
	return withAgentLsp(ws, format, isReady, async (ask) => {
		const texts: string[] = [];
		for (const each of asked) texts.push(await put(ask, each));
		return texts;
	});
}

function shell(command: string, ws: Workspace): string {
	return execFileSync("sh", ["-c", command], { cwd: ws.root, encoding: "utf8", maxBuffer: 1e8 });
}

function count(text: string): number {
	return encode(text).length;
}

/** Whether an answer contains all that was asked for. */
function answers(text: string, { must }: TokenQuestion): boolean {
	return must.every((part) => text.includes(part));
}

interface Row {
	readonly what: string;
	readonly ours: number;
	readonly recipe: number;
	/** In agent-lsp's default format; undefined where that lacks what was asked for. */
	readonly gcf: number | undefined;
	readonly json: number | undefined;
}

function rowOf({ question, where }: Asked, texts: Answers, index: number): Row {
	const { operation, input } = question;
	const about = where ? `${where.symbol}, ${where.file.split("/").at(-1)}` : Object.values(input).join();
	const gcf = texts.gcf?.[index];
	const json = texts.json?.[index];
	return {
		what: `${operation}: ${about}`,
		ours: count(texts.ours[index] ?? ""),
		recipe: count(texts.recipe[index] ?? ""),
		gcf: gcf !== undefined && answers(gcf, question) ? count(gcf) : undefined,
		json: json === undefined ? undefined : count(json),
	};
}

/** All answers, in the order of the questions. */
interface Answers {
	readonly ours: readonly string[];
	readonly recipe: readonly string[];
	readonly gcf?: readonly string[];
	readonly json?: readonly string[];
}

function figuresOf(asked: readonly Asked[], texts: Answers): Figure[] {
	const rows = asked.map((each, index) => rowOf(each, texts, index));
	const incomplete = asked.filter(({ question }, index) => !answers(texts.ours[index] ?? "", question)).length;
	const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
	const against = (what: string, those: readonly Row[], other: (row: Row) => number, share: number): Figure => {
		const [bare, ours] = [sum(those.map(other)), sum(those.map((row) => row.ours))];
		const text = share === 1 ? "1 ×" : `${share} ×`;
		return { what, unit: "", bare: exactly(bare), ours: exactly(ours), bar: { text, limit: bare * share } };
	};
	const longer = (what: string, those: readonly Row[], limit: (row: Row) => number): Figure => {
		const n = those.filter((row) => row.ours > limit(row)).length;
		return { what, unit: "", ours: exactly(n, those.length) };
	};
	const answered = rows.filter(({ gcf }) => gcf !== undefined);
	const known = rows.filter(({ json }) => json !== undefined);
	return [
		...rows.map(single),
		...(known.length === 0
			? []
			: [
					against(`sum of the ${answered.length} that agent-lsp's default answers`, answered, ({ gcf = 0 }) => gcf, 1),
					against("sum of all, against agent-lsp's JSON", known, ({ json = 0 }) => json, shares.json),
					longer("single answers longer than half of agent-lsp's JSON", known, ({ json = 0 }) => json * shares.json),
				]),
		against("sum of all, against grep and cat", rows, ({ recipe }) => recipe, shares.recipe),
		longer("single answers longer than a tenth of grep and cat", rows, ({ recipe }) => recipe * shares.recipe),
		wrongAnswers("incomplete answers of pi-lsp", incomplete, rows.length),
	];
}

function handlesFigure([without, offered]: Awaited<ReturnType<typeof editResults>>): Figure {
	const what = `an edit with three errors: without and with a line for each of ${offered.handles} fixes`;
	return { what, unit: "", bare: exactly(count(without.text)), ours: exactly(count(offered.text)) };
}

/** A question compared with agent-lsp's default format, where that is complete. */
function single({ what, ours, gcf, json, recipe }: Row): Figure {
	const others = json === undefined ? `shell ${recipe}` : `JSON ${json}, shell ${recipe}`;
	const theirs = gcf === undefined ? {} : { bare: exactly(gcf), bar: { text: "1 ×", limit: gcf } };
	return { what: `${what} (${others})`, unit: "", ours: exactly(ours), ...theirs };
}
