import { goProject, goRate, type Project, pythonProject } from "./languages.ts";

export interface PreviewedEdit {
	readonly file: string;
	readonly text: string;
	/** Whether files that use this one then have errors. */
	readonly breaksOthers: boolean;
}

/** The n-th edit of a project: an error of its own, a clean text, and one that breaks its users, in turn. */
export function previewedEdits(project: Project, n: number): PreviewedEdit {
	if (n % 3 !== 0) return { file: project.file, text: project.text(n, n % 3 === 1), breaksOthers: false };
	if (project === goProject) return { file: "rate.go", text: goRate("string", n), breaksOthers: true };
	const { file, files } = project;
	const before = files[file] ?? "";
	if (project === pythonProject) return { file, text: before.replaceAll("make_30", `made_${n}`), breaksOthers: true };
	const contract = "src/contract.ts";
	const text = (files[contract] ?? "").replace("readonly amount: number;", `readonly amount: string | ${n}n;`);
	return { file: contract, text, breaksOthers: true };
}
