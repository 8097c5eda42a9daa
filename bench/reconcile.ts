import { openBooks } from '../e2e/books'
import { benchRatios } from './targets'

export interface ServedTotals {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/**
 * Compare the gateway's books with what the upstream served through it, to the unit. Call it when the gateway has stopped.
 * Answers what is wrong; nothing when the run counts.
 */
export async function reconcile(dataDir: string, served: ServedTotals, failures: number): Promise<string[]> {
  await using books = openBooks(dataDir)
  const [charges, logs, sums] = [await books.charges(), await books.logs(), await books.sums()]
  const cost = (served.promptTokens + served.completionTokens * benchRatios.completion) * benchRatios.model
  const totalOf = (column: 'prompt_tokens' | 'completion_tokens' | 'quota') =>
    logs.reduce((sum, log) => sum + log[column], 0)
  const comparisons: [what: string, found: number, expected: number][] = [
    ['failed calls', failures, 0],
    ['charges', charges.length, served.calls],
    ['log rows', logs.length, served.calls],
    ['prompt tokens logged', totalOf('prompt_tokens'), served.promptTokens],
    ['completion tokens logged', totalOf('completion_tokens'), served.completionTokens],
    ['quota logged', totalOf('quota'), cost],
    ['quota charged', sums.charged, cost],
    ['quota users used', sums.used, cost],
    ['free + leased + used', sums.free + sums.leased + sums.used, sums.credited],
    ['leased after the end', sums.leased, 0],
  ]
  return comparisons
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${what}: ${found} instead of ${expected}`)
}
