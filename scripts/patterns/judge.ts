/** How the time of a pattern grows with the length of a text. */
export interface Judgement {
  readonly growth: 'linear' | 'super-linear' | 'unknown'
  /** A text that shows it, as an expression; empty where there is none. */
  readonly attack: string
}

const timeoutMs = 30_000

/** Resolves with the worst growth of a pattern. */
export async function classify({ source, flags }: { source: string; flags: string }): Promise<Judgement> {
  // Neither Java nor a native program: the same everywhere.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { check } = await import('recheck')
  const found = await check(source, flags, { timeout: timeoutMs })
  if (found.status === 'safe') return { growth: 'linear', attack: '' }
  if (found.status === 'unknown') return { growth: 'unknown', attack: '' }
  return { growth: 'super-linear', attack: `${found.complexity.summary}: ${found.attack.pattern}` }
}
