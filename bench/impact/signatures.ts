import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LspError } from "../../src/contract/errors.ts";
import type { ImpactReport } from "../../src/operations/impact.ts";
import { type Extent, restore, type Stage, withStage } from "../changes/stage.ts";
import type { ChangeSubject } from "../changes/subjects.ts";
import { type Figure, wrongAnswers } from "../figures.ts";
import type { Errors } from "../truth/errors.ts";
import { Random } from "../truth/random.ts";
import { changedSignature, type Seeded } from "./seed.ts";

/**
 * Functions of a real package get one more parameter. `impact` is asked before; the compiler then says which files are broken:
 * each must be the function's own or one that was named.
 */
export function signatures(subject: ChangeSubject, { each, seed, isOver, log }: Extent): Promise<Figure[]> {
	return withStage(subject, async (stage) => {
		const random = new Random(seed);
		const before = (await stage.judge()).errors;
		let [done, missed, refused, named, broken] = [0, 0, 0, 0, 0];
		log(`${subject.name}: ${Object.keys(stage.files).length} files`);
		const seen = new Set<string>();
		for (let tries = 0; done < each && tries < each * 20 && !isOver(); tries++) {
			const seeded = changedSignature(stage.files, subject, random);
			if (!seeded || seen.has(`${seeded.file}:${seeded.line}`)) continue;
			seen.add(`${seeded.file}:${seeded.line}`);
			const said = (what: string) => log(`  ${seeded.file}:${seeded.line} ${seeded.name}: ${what}`);
			const told = await filesOfImpact(stage, seeded);
			if ("refused" in told) {
				refused++;
				said(`refused: ${told.refused.message}`);
				continue;
			}
			writeFileSync(join(stage.root, seeded.file), seeded.text);
			const found = newlyBroken((await stage.judge()).errors, before, seeded.file);
			restore(stage);
			done++;
			named += told.files.size;
			broken += found.filter((file) => told.files.has(file)).length;
			const left = found.filter((file) => !told.files.has(file));
			if (left.length === 0) continue;
			missed++;
			said(`not named: ${left.join(", ")}; named: ${[...told.files].join(", ")}`);
		}
		const { name } = subject;
		log(`  ${done} signatures, ${named} files named, ${broken} of them broken, ${missed} with a file not named`);
		const precision = named === 0 ? 1 : broken / named;
		return [
			wrongAnswers(`${name}: changed signatures that break a file which impact does not name`, missed, done),
			{
				what: `${name}: symbols that its server does not list, and impact refuses`,
				unit: "",
				ours: { median: refused, p95: refused, n: done + refused },
			},
			{
				what: `${name}: share of the files named that the compiler finds broken`,
				unit: "",
				ours: { median: precision, p95: precision, n: named },
			},
		];
	});
}

async function filesOfImpact(
	{ daemon, root }: Stage,
	{ file, line, name }: Seeded,
): Promise<{ readonly files: ReadonlySet<string> } | { readonly refused: LspError }> {
	try {
		const input = { files: [file], symbols: [`${line}:${name}`] };
		const { changed } = await daemon.call<ImpactReport>("impact", { cwd: root, input });
		const all = changed.flatMap(({ callers, implementers = [], reaches }) => [...callers, ...implementers, ...reaches]);
		return { files: new Set(all.map((each) => each.file).filter((path) => path !== file)) };
	} catch (thrown) {
		if (thrown instanceof LspError) return { refused: thrown };
		throw thrown;
	}
}

/** Lines of other files do not move. */
function newlyBroken(after: Errors, before: Errors, own: string): string[] {
	const isNew = (file: string, errors: ReadonlySet<string>) => [...errors].some((each) => !before.get(file)?.has(each));
	return [...after].flatMap(([file, errors]) => (file !== own && isNew(file, errors) ? [file] : []));
}
