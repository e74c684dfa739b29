import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { asLspError } from "../../../contract/errors.ts";
import { runToEnd } from "../../../process/run-to-end.ts";
import type { EchoView } from "../../../render/status/hosts.ts";
import { realPathOf } from "../../../util/files.ts";
import { anySource, readText } from "../../../util/read-file.ts";
import { echoEnvironment, echoText, type HookCall } from "../../hook-echo.ts";
import { byFile, splitMark } from "../configured-file.ts";
import type { AgentHost, Setting } from "../host.ts";
import { ownScript } from "../hosts.ts";
import type { Drive, Place } from "./drives.ts";
import { withOwnHooks } from "./own-hooks.ts";
import { scriptedModel } from "./scripted-model.ts";
import { isOwnHook, type TryContext } from "./try-command.ts";

const limitMs = 60_000;

/** What the hook says after a scripted model's write must be in the next request. */
export async function fireHook(
	host: AgentHost,
	program: string,
	drive: Drive,
	context: TryContext & { readonly setting: Setting },
): Promise<EchoView> {
	const run = await driven(host, program, drive, { ...context, isTrusted: false });
	if (run.echoed) return seen(run, await ownScript());
	const [behind] = run.calls.filter(({ phase }) => phase === "after");
	if (behind)
		return {
			condition: "not_seen",
			why: `The hook was called at ${behind.event}, and the model has not read what it said`,
			mend: anew,
		};
	if (drive.trust !== undefined) {
		const again = await driven(host, program, drive, { ...context, isTrusted: true });
		if (again.echoed)
			return { condition: "not_seen", why: `${host.title} does not run it: it is not trusted`, mend: drive.trust };
	}
	if (!run.isWritten) return { condition: "not_run", why: `${host.title} could not be driven: ${run.end}` };
	const events = [...new Set(run.calls.map(({ event }) => event))];
	const why =
		events.length > 0
			? `The hook stands on the wrong event: it was called at ${events.join(", ")}, and not behind an edit`
			: "The hook was not called behind an edit: it stands on the wrong event, or it is switched off";
	return { condition: "not_seen", why, mend: anew };
}

const anew = "pi-lsp update --force";

async function seen({ calls }: Driven, script: string): Promise<EchoView> {
	for (const { script: other } of calls) {
		const real = (await realPathOf(other)) ?? other;
		if (real !== script)
			return { condition: "not_seen", why: `The hook is another copy of pi-lsp: ${real}`, mend: anew };
	}
	return { condition: "seen" };
}

interface Driven {
	readonly echoed: boolean;
	readonly isWritten: boolean;
	readonly calls: readonly HookCall[];
	readonly end: string;
}

async function driven(
	host: AgentHost,
	program: string,
	drive: Drive,
	{ setting, path, signal, isTrusted }: TryContext & { readonly setting: Setting; readonly isTrusted: boolean },
): Promise<Driven> {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pi-lsp-doctor-")));
	const [root, home, temporary, runtime] = ["project", "home", "tmp", "run"].map((name) => join(base, name)) as [
		string,
		string,
		string,
		string,
	];
	for (const folder of [root, home, temporary, runtime]) mkdirSync(folder, { mode: 0o700 });
	const written = join(root, "written.txt");
	const echoFile = join(base, `echo-${basename(base)}`);
	writeFileSync(echoFile, "", { mode: 0o600 });
	const model = await scriptedModel(drive.protocol, [drive.write(written, "written\n")]);
	try {
		const place: Place = { url: model.url, root, home, setting, isTrusted };
		const own = await hookFiles(host, drive, place);
		const files = { ...own, ...(await drive.files(place, own)) };
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
		const env = {
			PATH: path.join(delimiter),
			HOME: home,
			TMPDIR: temporary,
			XDG_RUNTIME_DIR: runtime,
			...echoEnvironment(echoFile),
			...drive.env(place),
		};
		const launch = { file: program, args: drive.args(place), cwd: root, env };
		const { code, timedOut, output } = await runToEnd(launch, { signal, limitMs, onLine: () => {} });
		const end = timedOut ? `it did not end within ${limitMs / 1000} s` : `it ended with exit code ${code}`;
		const last = output.trim().split("\n").at(-1)?.slice(0, 300);
		const log = (await readText(echoFile, anySource)) ?? "";
		const text = JSON.stringify(echoText(echoFile)).slice(1, -1);
		return {
			echoed: model.requests.some((body) => JSON.stringify(body).includes(text)),
			isWritten: existsSync(written),
			calls: log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as HookCall])),
			end: last ? `${end}: ${last}` : end,
		};
	} catch (error) {
		return { echoed: false, isWritten: false, calls: [], end: asLspError(error).message };
	} finally {
		await model.close();
		rmSync(base, { recursive: true, force: true, maxRetries: 3 });
	}
}

/** Without other commands, at the same places in the private home or project. */
async function hookFiles(host: AgentHost, drive: Drive, place: Place): Promise<Record<string, string>> {
	const { setting, root, home } = place;
	const { project } = setting;
	const entries = host.entries(setting).filter(({ part }) => part === "hooks");
	const files: Record<string, string> = {};
	for (const file of byFile(entries).keys()) {
		const text = await readText(file, anySource);
		if (text === undefined) continue;
		const to =
			project === undefined
				? join(home, drive.folder, relative(host.folder(setting), file))
				: join(root, relative(project, file));
		files[to] = file.endsWith(".js") ? text : withOwnHooks(splitMark(text).body, drive.switches, isOwnHook);
	}
	return files;
}
