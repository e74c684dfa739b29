import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import type { CheckReport } from "../src/contract/check-report.ts";
import { connectDaemon } from "../src/daemon/lifecycle/connect.ts";
import { stopDaemon } from "../src/daemon/lifecycle/stop.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { BareClient, hasError } from "./bare-client.ts";
import { makeCorpus } from "./corpus.ts";
import { type Edit, Editor } from "./edits.ts";
import { type Benchmark, compared, type Figure, wrongAnswers } from "./figures.ts";
import { writeCopy } from "./places.ts";
import { inTurn, spreadOf, timed } from "./statistics.ts";

const rounds = 20;
const warmUp = 2;

/** The first answer without a running daemon or server. */
export const cold: Benchmark = {
	name: "cold",
	run: async (log) => {
		const corpus = makeCorpus();
		log(`${rounds} starts of each; the daemon is stopped in between`);
		return withWorkspace(corpus.files, async (ws) => {
			const root = writeCopy(ws, corpus);
			const editor = new Editor(corpus);
			const ms = { node: [], daemon: [], bare: [], client: [], cli: [] } as Record<Start, number[]>;
			let wrong = 0;
			for (let round = -warmUp; round < rounds; round++) {
				const edit = editor.next(round % 2 === 0 ? "new error" : "fixed error");
				for (const directory of [root, ws.root]) writeFileSync(join(directory, edit.file), edit.text);
				for (const start of inTurn(Object.keys(ms) as Start[], round + warmUp)) {
					const started = await starts[start](ws, root, edit);
					if (round >= 0) ms[start].push(started.ms);
					if (started.value !== undefined && started.value !== edit.wrong) wrong++;
				}
			}
			return figuresOf(ms, wrong);
		});
	},
};

type Start = "node" | "daemon" | "bare" | "client" | "cli";

interface Started {
	readonly ms: number;
	/** Whether an error was found; undefined where nothing is asked. */
	readonly value: boolean | undefined;
}

const starts: Readonly<Record<Start, (ws: Workspace, bareRoot: string, edit: Edit) => Promise<Started>>> = {
	node: async (ws) => ({ ...(await timed(() => emptyNode(ws))), value: undefined }),
	daemon: async (ws) => {
		const started = await timed(() => listeningDaemon(ws));
		await stopDaemon(ws.env);
		return { ...started, value: undefined };
	},
	bare: async (ws, root, { file }) => {
		const { ms, value } = await timed(async () => {
			const client = await BareClient.start(root, ws.env);
			client.open(file, readFileSync(join(root, file), "utf8"));
			return { client, wrong: hasError(await client.pull(file)) };
		});
		await value.client.stop();
		return { ms, value: value.wrong };
	},
	client: async (ws, _root, { file }) => {
		const { ms, value } = await timed(async () => {
			const daemon = await connectDaemon(ws.env);
			const params = { cwd: ws.root, input: { files: [file], scope: "file" } };
			return { daemon, report: await daemon.call<CheckReport>("check", params) };
		});
		value.daemon.close();
		await stopDaemon(ws.env);
		return { ms, value: value.report.files[0]?.diagnostics.some(({ severity }) => severity === "error") };
	},
	cli: async (ws, _root, { file }) => {
		const { ms, value } = await timed(() => ws.cli(["check", file]));
		await stopDaemon(ws.env);
		if (value.code !== 0 && value.code !== 1) throw new Error(`check ended with ${value.code}: ${value.stderr}`);
		return { ms, value: value.code === 1 };
	},
};

function emptyNode(ws: Workspace): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, ["-e", "0"], { cwd: ws.root, env: ws.env, stdio: "ignore" });
		child.once("error", reject).once("close", () => resolve());
	});
}

/** Starts the daemon as its clients do and waits until it reports that it listens. */
function listeningDaemon(ws: Workspace): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [join(REPOSITORY, "dist/daemon.cjs")], {
			cwd: "/",
			env: ws.env,
			detached: true,
			stdio: ["ignore", "ignore", "ignore", "pipe"],
		});
		child.once("error", reject);
		const ready = child.stdio[3] as Readable;
		ready.once("data", (text: Buffer) => {
			if (text.toString().trim() === "ready") resolve();
			else reject(new Error(`the daemon wrote ${text}`));
			ready.destroy();
			child.unref();
		});
	});
}

function figuresOf(ms: Readonly<Record<Start, readonly number[]>>, wrong: number): Figure[] {
	const daemon = spreadOf(ms.daemon).median;
	const node = spreadOf(ms.node).median;
	const cold = { factor: 1.2, plus: Math.round(daemon) };
	return [
		named(compared("daemon: spawn to listening", ms.node, ms.daemon, { factor: 1.6, plus: 0 }), "1.6 × `node -e 0`"),
		named(compared("first check by a client", ms.bare, ms.client, cold), "1.2 × + the daemon's spawn"),
		named(
			compared("first check by `pi-lsp check`", ms.bare, ms.cli, { ...cold, plus: Math.round(daemon + node) }),
			"1.2 × + the daemon's spawn + `node -e 0`",
		),
		wrongAnswers("wrong answers", wrong, (rounds + warmUp) * 3),
	];
}

function named(figure: Figure, text: string): Figure {
	return figure.bar ? { ...figure, bar: { ...figure.bar, text } } : figure;
}
