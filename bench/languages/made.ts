import type { Files } from "../../test/support/workspace.ts";

const names = ["Cart", "Menu", "Page", "Row", "Sum", "Table", "Total"];

const tsconfig = `${JSON.stringify({
	compilerOptions: { strict: true, noEmit: true, module: "esnext", moduleResolution: "bundler", target: "esnext" },
	include: ["src"],
})}\n`;

const money = "export function format(amount: number): string {\n\treturn amount.toFixed(2);\n}\n";

/** An application of seven components, with a card that all of them show and a module that all of them import. */
function components(extension: string, dependency: string, card: string, page: (name: string) => string): Files {
	return {
		"package.json": `${JSON.stringify({ name: "shop", type: "module", dependencies: { [dependency]: "*" } })}\n`,
		"tsconfig.json": tsconfig,
		"src/money.ts": money,
		"src/total.ts": 'import { format } from "./money";\n\nexport const total: string = format(3);\n',
		[`src/Card.${extension}`]: card,
		...Object.fromEntries(names.map((name) => [`src/${name}.${extension}`, page(name)])),
	};
}

export const pagesOf = (extension: string): string[] => names.map((name) => `src/${name}.${extension}`);

export const vue = (): Files =>
	components(
		"vue",
		"vue",
		'<script setup lang="ts">\nconst props = defineProps<{ title: string }>();\nconst length: number = props.title.length;\n</script>\n<template>{{ title }}{{ length }}</template>\n',
		(name) =>
			`<script setup lang="ts">\nimport Card from "./Card.vue";\nimport { format } from "./money";\nconst text = format(1);\n</script>\n<template><Card title="${name}" />{{ text }}</template>\n`,
	);

export const svelte = (): Files =>
	components(
		"svelte",
		"svelte",
		'<script lang="ts">\nexport let title: string;\nconst length: number = title.length;\n</script>\n<p>{title}{length}</p>\n',
		(name) =>
			`<script lang="ts">\nimport Card from "./Card.svelte";\nimport { format } from "./money";\nconst text = format(1);\n</script>\n<Card title="${name}" />{text}\n`,
	);

export const astro = (): Files =>
	components(
		"astro",
		"astro",
		"---\ninterface Props {\n\ttitle: string;\n}\nconst { title } = Astro.props as Props;\nconst length: number = title.length;\n---\n<p>{title}{length}</p>\n",
		(name) =>
			`---\nimport Card from "./Card.astro";\nimport { format } from "./money";\nconst text = format(1);\n---\n<Card title="${name}" />{text}\n`,
	);

const service = (name: string, port: number) =>
	`{\n\t"$schema": "../schema.json",\n\t"name": "${name}",\n\t"port": ${port}\n}\n`;

export const json = (): Files => ({
	"schema.json": `${JSON.stringify({ type: "object", required: ["name"], properties: { name: { type: "string" }, port: { type: "number" } } }, null, "\t")}\n`,
	"services/web.json": service("web", 80),
	"services/mail.json": service("mail", 25),
	"services/time.json": service("time", 37),
});

const yamlService = (name: string, port: number) =>
	`# yaml-language-server: $schema=../schema.json\nname: ${name}\nport: ${port}\n`;

export const yaml = (): Files => ({
	"schema.json": json()["schema.json"] ?? "",
	"services/web.yaml": yamlService("web", 80),
	"services/mail.yaml": yamlService("mail", 25),
	"services/time.yaml": yamlService("time", 37),
});

export const docker = (): Files => ({
	Dockerfile: 'FROM debian:12\nWORKDIR /app\nCOPY . .\nRUN make all\nEXPOSE 80\nCMD ["./run"]\n',
	"run.sh": "#!/bin/sh\nexec ./app\n",
});

export const terraform = (): Files => ({
	"main.tf": 'locals {\n  name = var.region\n}\n\noutput "name" {\n  value = local.name\n}\n',
	"variables.tf": 'variable "region" {\n  type    = string\n  default = "eu"\n}\n',
	"outputs.tf": 'output "region" {\n  value = var.region\n}\n',
});

export const fortran = (): Files => ({
	"src/money.f90":
		"module money\n  implicit none\n  integer :: rate\n  integer :: fee ! in cents\ncontains\n  subroutine pay(amount)\n    integer, intent(in) :: amount\n    print *, amount\n  end subroutine pay\nend module money\n",
	"src/main.f90":
		"program main\n  use money\n  implicit none\n  integer :: total\n  total = 1\n  call pay(total)\nend program main\n",
});

export const proto = (): Files => ({
	"buf.yaml": "version: v2\n",
	"shop/money.proto":
		'syntax = "proto3";\npackage shop;\n\nmessage Money {\n  string currency = 1;\n  int64 units = 2;\n}\n',
	"shop/cart.proto":
		'syntax = "proto3";\npackage shop;\n\nimport "shop/money.proto";\n\nmessage Cart {\n  Money total = 1;\n}\n',
	"shop/order.proto":
		'syntax = "proto3";\npackage shop;\n\nimport "shop/money.proto";\n\nmessage Order {\n  Money price = 1;\n}\n',
});

export const prisma = (): Files => ({
	"prisma/schema.prisma":
		'datasource db {\n  provider = "sqlite"\n}\n\ngenerator client {\n  provider = "prisma-client-js"\n}\n\nmodel User {\n  id    Int    @id\n  email String @unique\n  posts Post[]\n}\n\nmodel Post {\n  id       Int  @id\n  author   User @relation(fields: [authorId], references: [id])\n  authorId Int\n}\n',
});

export const toml = (): Files => ({
	"tombi.toml": "",
	"config/app.toml": '[server]\nhost = "localhost"\nport = 80\n\n[server.limits]\nclients = 10\n',
});
