import { lastKnown } from './last-known'

/** Returns the resident memory of this process. */
export const residentBytes: () => number = lastKnown(() => process.memoryUsage.rss())
