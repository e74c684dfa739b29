import { concise } from "./concise.ts";
import type { Format } from "./format.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { junit } from "./junit.ts";
import { sarif } from "./sarif.ts";

/** `pretty` has styles, `agent` is the operation's text, `json` the report. */
export const formatNames = ["pretty", "concise", "agent", "json", "sarif", "github", "gitlab", "junit"] as const;
export type FormatName = (typeof formatNames)[number];

export const textFormats: Readonly<Partial<Record<FormatName, Format>>> = { concise, sarif, github, gitlab, junit };
