// Writes one change and kills itself before the call of the disk with the given number: writer-process.ts RECORDS CHANGE NUMBER
import { readFileSync } from "node:fs";
import process from "node:process";
import type { Change } from "../../src/writer/change.ts";
import { Changes } from "../../src/writer/changes.ts";
import { watchedDisk } from "./tree.ts";

const [records = "", file = "", number = "0"] = process.argv.slice(2);
const change = JSON.parse(readFileSync(file, "utf8"), (_, value) =>
	value?.type === "Buffer" ? Buffer.from(value.data) : value,
) as Change;
let calls = 0;
const disk = watchedDisk((_, count) => {
	calls = count;
	if (count === Number(number)) process.kill(process.pid, "SIGKILL");
});
await new Changes(records, disk).write(change, "plan");
console.log(calls);
