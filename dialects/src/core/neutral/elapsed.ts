import type { Answering } from './codec'

/** Returns how many milliseconds ago the request came; 0 where that is not measured. */
export const elapsedMs = ({ clock, startedAt = 0 }: Pick<Answering, 'clock' | 'startedAt'>): number =>
  clock ? clock.monotonic() - startedAt : 0
