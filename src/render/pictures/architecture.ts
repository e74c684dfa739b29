import type { ArchitectureReport } from "../../operations/architecture.ts";
import { escapePath, oneLine } from "../escape.ts";

type Folders = ArchitectureReport["folders"];

interface Arrow {
	readonly from: string;
	readonly to: string;
	/** To the same level or up. */
	readonly isCircle: boolean;
}

/** Without those that follow from others. */
function arrowsOf(folders: Folders): Arrow[] {
	const levels = new Map(folders.map(({ path, level }) => [path, level]));
	const uses = new Map(
		folders.map((each) => [each.path, each.uses.filter((use) => !use.isUnloaded).map(({ path }) => path)]),
	);
	const isDown = (from: string, to: string) => (levels.get(to) ?? 0) < (levels.get(from) ?? 0);
	const reaches = new Map<string, Set<string>>();
	// The lowest level first, so that what is below is known.
	for (const { path } of folders.toReversed()) {
		const below = new Set<string>();
		for (const to of uses.get(path) ?? [])
			if (isDown(path, to)) for (const each of [to, ...(reaches.get(to) ?? [])]) below.add(each);
		reaches.set(path, below);
	}
	return folders.flatMap(({ path: from }) => {
		const own = (uses.get(from) ?? []).filter((to) => levels.has(to));
		return own
			.filter(
				(to) =>
					!isDown(from, to) || !own.some((other) => other !== to && isDown(from, other) && reaches.get(other)?.has(to)),
			)
			.map((to) => ({ from, to, isCircle: !isDown(from, to) }));
	});
}

export function mermaidOf({ folders }: ArchitectureReport): string {
	const ids = new Map(folders.map(({ path }, index) => [path, `n${index}`]));
	const label = (path: string) => oneLine(path).replace(/["<>&#]/g, (found) => `#${found.charCodeAt(0)};`);
	return [
		"graph TD",
		...folders.map(({ path, files }) => `  ${ids.get(path)}["${label(path)} (${files})"]`),
		...arrowsOf(folders).map(
			({ from, to, isCircle }) => `  ${ids.get(from)} ${isCircle ? "-.->" : "-->"} ${ids.get(to)}`,
		),
	].join("\n");
}

/** In pixels. */
const sizes = { letter: 7.25, height: 30, gap: 16, level: 90, margin: 20 } as const;

interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
}

export function svgOf({ folders }: ArchitectureReport): string {
	const arrows = arrowsOf(folders);
	const boxes = placed(folders, arrows);
	const all = [...boxes.values()];
	const width = Math.max(0, ...all.map(({ x, width: own }) => x + own)) + sizes.margin;
	const height = Math.max(0, ...all.map(({ y }) => y + sizes.height)) + sizes.margin;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12">`,
		'<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#667"/></marker></defs>',
		'<rect width="100%" height="100%" fill="#fff"/>',
		...arrows.flatMap(({ from, to, isCircle }) => {
			const [start, end] = [boxes.get(from), boxes.get(to)];
			return start && end ? [lineBetween(start, end, isCircle)] : [];
		}),
		...folders.flatMap(({ path, files }) => {
			const box = boxes.get(path);
			return box ? [boxText(box, labelOf(path, files))] : [];
		}),
		"</svg>",
	].join("\n");
}

function labelOf(path: string, files: number): string {
	return `${oneLine(path)} ${files}`;
}

/** One row a level, each box below the middle of its users. */
function placed(folders: Folders, arrows: readonly Arrow[]): Map<string, Box> {
	const boxes = new Map<string, Box>();
	const levels = [...new Set(folders.map(({ level }) => level))].sort((a, b) => b - a);
	for (const [index, level] of levels.entries()) {
		const middle = (path: string) => {
			const above = arrows.flatMap(({ from, to }) => (to === path ? (boxes.get(from) ?? []) : []));
			return above.reduce((sum, { x, width }) => sum + x + width / 2, 0) / Math.max(above.length, 1);
		};
		const row = folders
			.filter((each) => each.level === level)
			.map(({ path, files }) => ({
				path,
				width: Math.ceil(labelOf(path, files).length * sizes.letter) + sizes.gap,
				at: middle(path),
			}))
			.sort((a, b) => a.at - b.at);
		let x: number = sizes.margin;
		for (const { path, width, at } of row) {
			x = Math.max(x, Math.round(at - width / 2));
			boxes.set(path, { x, y: sizes.margin + index * sizes.level, width });
			x += width + sizes.gap;
		}
	}
	return boxes;
}

function lineBetween(start: Box, end: Box, isCircle: boolean): string {
	const [x1, x2] = [start, end].map(({ x, width }) => Math.round(x + width / 2));
	const [y1, y2] = isCircle ? [start.y, end.y + sizes.height] : [start.y + sizes.height, end.y];
	const bend = isCircle ? -40 : Math.round((y2 - y1) / 2);
	const look = isCircle ? ' stroke="#c33" stroke-dasharray="4 3"' : ' stroke="#99a"';
	return `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}" fill="none"${look} marker-end="url(#end)"/>`;
}

function boxText({ x, y, width }: Box, label: string): string {
	const rect = `<rect x="${x}" y="${y}" width="${width}" height="${sizes.height}" rx="4" fill="#eef" stroke="#667"/>`;
	return `${rect}<text x="${x + sizes.gap / 2}" y="${y + 19}">${escapePath(label)}</text>`;
}
