import type { Language } from "./language.ts";

/** Shells and further languages that are interpreted. */
export const scriptingCases: readonly Language[] = [
	{
		server: "bash-language-server",
		strategy: "versioned-push",
		program: "bash-language-server",
		prerequisite: "shellcheck",
		project: {},
		file: "a.sh",
		right: "#!/bin/sh\nif true; then\n\techo hi\nfi\n",
		wrong: "#!/bin/sh\nif true; then\n\techo hi\n",
		line: 2,
		says: "SC1046",
	},
	{
		server: "intelephense",
		strategy: "push",
		program: "intelephense",
		project: { "composer.json": "{}" },
		file: "a.php",
		right: "<?php\nfunction a(): int { return 1; }\na();\n",
		wrong: "<?php\nfunction a(): int { return 1; }\nb();\n",
		line: 3,
		says: "Undefined function",
	},
	{
		server: "vim-language-server",
		strategy: "push",
		program: "vim-language-server",
		project: {},
		file: "a.vim",
		right: "function! A()\n  return 1\nendfunction\n",
		wrong: "function! A()\n  return 1\nendif\n",
		line: 3,
		says: "E580",
	},
];
