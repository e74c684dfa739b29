import { dataFormatJudgements } from "./data-formats.ts";
import { documentJudgements } from "./documents.ts";
import { dotnetJudgements } from "./dotnet.ts";
import { functionalJudgements } from "./functional.ts";
import { hardwareJudgements } from "./hardware.ts";
import { infrastructureJudgements } from "./infrastructure.ts";
import type { Judgements } from "./judgement.ts";
import { jvmJudgements } from "./jvm.ts";
import { nativeJudgements } from "./native.ts";
import { pythonJudgements } from "./python.ts";
import { rubyPhpJudgements } from "./ruby-php.ts";
import { scriptingJudgements } from "./scripting.ts";
import { systemsJudgements } from "./systems.ts";
import { typescriptJudgements } from "./typescript.ts";
import { webJudgements } from "./web.ts";
import { webLinterJudgements } from "./web-linters.ts";

/**
 * What each of the known servers does by itself, by its id: what decides which of them waits for trust. It is read by
 * people and by test/servers/judgements.test.ts, which holds it against the entries; nothing of it is read while pi-lsp runs.
 */
export const judgements: Judgements = {
	...typescriptJudgements,
	...pythonJudgements,
	...systemsJudgements,
	...nativeJudgements,
	...jvmJudgements,
	...dotnetJudgements,
	...rubyPhpJudgements,
	...scriptingJudgements,
	...functionalJudgements,
	...webJudgements,
	...webLinterJudgements,
	...infrastructureJudgements,
	...dataFormatJudgements,
	...documentJudgements,
	...hardwareJudgements,
};
