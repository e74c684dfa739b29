import { describe, test } from "vitest";
import { drive } from "./drive.ts";
import { languages, missingFor } from "./languages.ts";

/** `npm run matrix` drives each of them for longer. */
const rounds = 1;

describe("a real server reports an error if and only if it exists:", () => {
	for (const language of languages) {
		const missing = missingFor(language);
		const title = `${language.server} by ${language.strategy}`;
		if (missing === undefined) test(title, { timeout: 180_000 }, () => drive(language, rounds).then(() => {}));
		else test.skip(`${title}: ${missing} is not installed`);
	}
});
