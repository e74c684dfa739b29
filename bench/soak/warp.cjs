// Preloaded into a daemon (node --require): from SIGUSR1 on its clocks and its timers, already set ones included, run
// PI_LSP_WARP times as fast.
const factor = Number(process.env.PI_LSP_WARP);
const real = { now: Date.now, set: setTimeout, clear: clearTimeout, tick: performance.now.bind(performance) };
const pending = new Set();
let speed = 1;
let bentAt = 0;
let shift = 0;

/** Milliseconds since the start by the accelerated clock. */
function bent() {
	return shift + (real.tick() - bentAt) * speed;
}

class Timer {
	constructor(work, ms, args, repeat) {
		Object.assign(this, { work, ms: Math.max(Number(ms) || 1, 1), args, repeat, kept: true });
		this.refresh();
	}
	arm() {
		real.clear(this.handle);
		this.handle = real.set(() => this.fire(), Math.max((this.due - bent()) / speed, 0));
		if (!this.kept) this.handle.unref();
	}
	fire() {
		if (this.repeat) this.refresh();
		else pending.delete(this);
		this.work(...this.args);
	}
	refresh() {
		pending.add(this);
		this.due = bent() + this.ms;
		this.arm();
		return this;
	}
	ref() {
		this.kept = true;
		this.handle.ref();
		return this;
	}
	unref() {
		this.kept = false;
		this.handle.unref();
		return this;
	}
	hasRef() {
		return this.kept;
	}
	close() {
		pending.delete(this);
		real.clear(this.handle);
	}
}

const end = (timer) => (timer instanceof Timer ? timer.close() : real.clear(timer));
const began = real.now();
globalThis.setTimeout = (work, ms, ...args) => new Timer(work, ms, args, false);
globalThis.setInterval = (work, ms, ...args) => new Timer(work, ms, args, true);
globalThis.clearTimeout = end;
globalThis.clearInterval = end;
Date.now = () => Math.round(began + bent());
performance.now = bent;

process.on("SIGUSR1", () => {
	[shift, bentAt, speed] = [bent(), real.tick(), factor];
	for (const timer of pending) timer.arm();
});
