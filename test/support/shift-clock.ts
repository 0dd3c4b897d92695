// Preloaded into a program (`--import`), so that its clock is wrong.
const { now } = Date;
const shift = Number(process.env['CLOCK_SHIFT']);
Date.now = () => now() + shift;
