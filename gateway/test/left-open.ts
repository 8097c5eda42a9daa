/** Closes what the tests of a run share, after the last one. Imports nothing, so that the end of a run without it loads nothing. */
export const leftOpen: (() => Promise<void>)[] = []
