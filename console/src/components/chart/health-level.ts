import type { HeatLevel } from './heat-map'

/** From good to bad; `quiet`: without traffic. */
export const healthLevels = ['good', 'fair', 'poor', 'bad', 'quiet'] as const satisfies readonly HeatLevel[]

interface Attempts {
  readonly count: number
  readonly errors: number
}

/** Below 1, 10 and 50 percent of failed attempts. */
export function healthLevel(attempts: Attempts | null | undefined): HeatLevel {
  if (!attempts || attempts.count + attempts.errors === 0) return 'quiet'
  const failed = attempts.errors / (attempts.count + attempts.errors)
  if (failed < 0.01) return 'good'
  if (failed < 0.1) return 'fair'
  return failed < 0.5 ? 'poor' : 'bad'
}
