import type { Sample } from "./meter.ts";

const size = { width: 900, height: 420, left: 60, right: 60, top: 40, bottom: 50 };
const lines = [
	{ of: "megabytes", name: "memory in MB (left)", colour: "#1f6feb", side: "left" },
	{ of: "descriptors", name: "descriptors (right)", colour: "#d9730d", side: "right" },
] as const;

/** An SVG of a daemon's memory and descriptors over its answered requests. */
export function drawSamples(title: string, samples: readonly Sample[]): string {
	const most = Math.max(1, ...samples.map(({ done }) => done));
	const x = (done: number) => size.left + (done / most) * (size.width - size.left - size.right);
	const parts = lines.flatMap(({ of, name, colour, side }, index) => {
		const top = ceilingOf(Math.max(1, ...samples.map((sample) => sample[of])));
		const y = (value: number) => size.height - size.bottom - (value / top) * (size.height - size.top - size.bottom);
		const points = samples.map((sample) => `${x(sample.done).toFixed(1)},${y(sample[of]).toFixed(1)}`).join(" ");
		const labels = [0, 0.25, 0.5, 0.75, 1].map((share) =>
			text(side === "left" ? size.left - 8 : size.width - size.right + 8, y(top * share) + 4, round(top * share), {
				anchor: side === "left" ? "end" : "start",
				colour,
			}),
		);
		const legend = text(size.left + 10 + index * 200, 30, name, { anchor: "start", colour });
		return [`<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points}"/>`, ...labels, legend];
	});
	const axis = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
		const at = x(most * share);
		const label = text(at, size.height - size.bottom + 20, round(most * share), { anchor: "middle", colour: "#666" });
		return [`<path stroke="#ddd" d="M${at} ${size.top}V${size.height - size.bottom}"/>`, label];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">`,
		`<title>${title}</title>`,
		`<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
		text(size.width / 2, 14, title, { anchor: "middle", colour: "#000" }),
		...axis,
		...parts,
		text(size.width / 2, size.height - 8, "requests answered", { anchor: "middle", colour: "#666" }),
		"</svg>\n",
	].join("\n");
}

function text(
	x: number,
	y: number,
	content: string,
	{ anchor, colour }: { readonly anchor: "start" | "middle" | "end"; readonly colour: string },
): string {
	return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}

/** The next round number, so that the line does not touch the edge. */
function ceilingOf(value: number): number {
	const step = 10 ** Math.floor(Math.log10(value));
	return Math.ceil((value * 1.05) / step) * step;
}

function round(value: number): string {
	return String(Math.round(value));
}
