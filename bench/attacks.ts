// npm run attacks [-- --all] [WORD…]: checks hostile trees with and without the sandbox, and prints what they ran, wrote
// outside their root and reached. Each tree is checked through one face, with --all through every face. A WORD is a part of
// a title, a face, `auto` or `off`; a run is chosen if its name contains all of them. Exit code 1 if there was harm.
import process from "node:process";
import { talks } from "../test/faces/hooks/payloads.ts";
import { withMcp } from "../test/faces/mcp/client.ts";
import { type Ask, byCommandLine, faces as knownFaces, withAttack } from "../test/live/attack-scene.ts";
import { type Attack, attacks } from "../test/live/attacks.ts";
import { isThere } from "../test/live/languages.ts";
import { linkAttacks } from "./attacks/links.ts";
import { settingsAttacks } from "./attacks/settings.ts";
import { environmentAttacks, treeAttacks } from "./attacks/trees.ts";

/** Questions that a model may ask in any tree, each with its arguments. */
const questions: readonly ((file: string) => readonly string[])[] = [
	(file) => ["references", file, "1:1"],
	(file) => ["definition", file, "1:3"],
	(file) => ["symbols", file],
	(file) => ["detect_changes", "--file", file],
	() => ["doctor"],
	() => ["status"],
];

const faces: Readonly<Record<string, Ask>> = {
	...knownFaces,
	"every question": async (attack, scene) => {
		const checked = await byCommandLine()(attack, scene);
		const { ws, env } = scene;
		const answers: string[] = [];
		for (const question of questions) {
			const { stdout, stderr } = await ws.cli(question(attack.file), { env, timeoutMs: 60_000 });
			answers.push(stdout + stderr);
		}
		return checked + answers.join("");
	},
	"a model over MCP": (attack, { ws, env }) =>
		withMcp(ws, { env }, async ({ call }) => {
			const { file } = attack;
			const asked = [
				await call("lsp_check", { files: [file], timeout: 20_000 }),
				await call("lsp", { operation: "start", input: { file } }),
				await call("lsp", { operation: "doctor", input: {} }),
				await call("lsp_references", { file, line: 1, column: 1 }),
			];
			return JSON.stringify(asked.map(({ content }) => content));
		}),
	"another agent's hook": async ({ file }, { ws, env }) => {
		const host = talks(ws.root).find(({ name }) => name === "claude-code");
		if (!host) throw new Error("no such host");
		const before = ws.read(file);
		const { payload } = host.afterEdit({ cwd: ws.root, file, from: "", to: "" }, before);
		const options = { env, input: JSON.stringify(payload), timeoutMs: 60_000 };
		const first = await ws.cli(["hook", host.name], options);
		const second = await ws.cli(["hook", host.name], options);
		return first.stdout + second.stdout;
	},
};

const words = process.argv.slice(2).filter((word) => word !== "--all");
const all = process.argv.includes("--all");
const everyAttack = [...attacks, ...settingsAttacks, ...linkAttacks, ...environmentAttacks, ...treeAttacks];
const names = Object.keys(faces);

interface Variant {
	readonly attack: Attack;
	readonly face: string;
	readonly sandbox: "auto" | "off";
}

const variants = everyAttack.flatMap((attack, index): Variant[] =>
	(["off", "auto"] as const).flatMap((sandbox, more) => {
		const one = names[(index + more * 3) % names.length] as string;
		return (all ? names : [one]).map((face) => ({ attack, face, sandbox }));
	}),
);
const nameOf = ({ attack, face, sandbox }: Variant) => `${attack.title} · ${face} · ${sandbox}`;
const chosen = variants.filter((variant) => words.every((word) => nameOf(variant).includes(word)));
let [survived, harmed, skipped] = [0, 0, 0];
for (const variant of chosen) {
	const { attack, face, sandbox } = variant;
	const missing = attack.needs.find((program) => !isThere(program));
	if (missing !== undefined) {
		skipped++;
		console.log(`skipped  ${nameOf(variant)}: ${missing} is not installed`);
		continue;
	}
	try {
		await withAttack(attack, sandbox, async (scene) => {
			const answer = await (faces[face] as Ask)(attack, scene);
			await scene.ws.cli(["stop", "--yes"], { env: scene.env });
			const harm = answer === "" ? ["nothing was answered"] : scene.harm();
			if (harm.length === 0) survived++;
			else harmed++;
			console.log(
				`${harm.length === 0 ? "survived" : "HARM    "} ${nameOf(variant)}${harm.length > 0 ? `: ${harm.join("; ")}` : ""}`,
			);
		});
	} catch (error) {
		harmed++;
		console.log(`FAILED   ${nameOf(variant)}: ${(error as Error).message.split("\n").slice(0, 3).join(" ")}`);
	}
}
console.log(`attacks: ${survived} survived, ${harmed} did harm or failed, ${skipped} skipped`);
process.exit(harmed > 0 || chosen.length === 0 ? 1 : 0);
