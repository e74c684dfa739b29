import { Written } from "../../contract/planned.ts";
import { t, type ValueOf } from "../../contract/schema.ts";
import type { PlannedSymbol } from "../../daemon/writing/symbol-edits.ts";
import { writtenText } from "../../render/answers/written.ts";
import { File } from "./inputs.ts";
import { changeInput, writtenAnswer } from "./written.ts";

export const symbolInput = {
	file: File,
	symbol: t.text("Its name, a dotted path such as Class.method, or LINE:NAME; method[1] is its second declaration"),
	...changeInput,
};

export const Code = t.text("Whole declarations; the indentation is adapted to the place");

export const ChangedSymbol = t.object({ ...Written, symbol: t.text("Its dotted path"), kind: t.text() });

type ChangedSymbol = ValueOf<typeof ChangedSymbol>;

export function symbolAnswer(planned: PlannedSymbol): ChangedSymbol {
	const { symbol, kind, notes } = planned;
	return { ...writtenAnswer(planned, notes), symbol, kind };
}

export function symbolText(done: string, output: ChangedSymbol): string {
	return writtenText(`${done} ${output.kind} ${output.symbol}`, output);
}
