import { Type } from "@sinclair/typebox";

export const changeKinds = ["body", "signature", "added", "removed", "moved"] as const;

export const defaultDepth = 5;

export const ChangeScopeInput = {
	base: Type.Optional(Type.String({ description: "The git revision before (default HEAD)" })),
	until: Type.Optional(Type.String({ description: "The later revision; the files on disk without it" })),
	staged: Type.Optional(Type.Boolean({ description: "What is staged, instead of what is on disk" })),
};

export const Skipped = {
	skipped: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }), {
		description: "Files that differ and were not compared",
	}),
};
