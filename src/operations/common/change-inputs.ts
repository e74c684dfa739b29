import { t } from "../../contract/schema.ts";

export const changeKinds = ["body", "signature", "added", "removed", "moved"] as const;

export const defaultDepth = 5;

export const ChangeScopeInput = {
	base: t.optional.text("The git revision before (default HEAD)"),
	until: t.optional.text("The later revision; the files on disk without it"),
	staged: t.optional.flag("What is staged, instead of what is on disk"),
};

export const Skipped = {
	skipped: t.objects("Files that differ and were not compared", { path: t.text(), reason: t.text() }),
};
