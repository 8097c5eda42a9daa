import { openLedgerAudit } from '../e2e/ledger-audit'
import { isBilled, ratiosOf, type Profile } from './profiles'

/** What the upstream served through one gateway. */
export interface Served {
  /** Begun, also those that the client left. */
  readonly calls: number
  /** Left by the client: what they used is estimated, so no sum over the calls is known. */
  readonly aborted: number
  /** Prompt tokens of all calls that clients did not abandon. */
  readonly promptTokens: number
  readonly completionTokens: number
  readonly failures: number
}

type Comparison = [what: string, found: number, expected: number]

/**
 * Compare the gateway's books with what the upstream served through it, to the unit. Call it when the gateway has stopped.
 * Answers what is wrong; nothing when the run counts.
 */
export async function reconcile(dataDir: string, profile: Profile, served: Served): Promise<string[]> {
  await using books = openLedgerAudit(dataDir)
  const [totals, sums] = [await books.totals(), await books.sums()]
  const ratios = ratiosOf(profile)
  const costOf = (promptTokens: number, completionTokens: number) =>
    (promptTokens + completionTokens * ratios.completion) * ratios.model
  const comparisons: Comparison[] = [
    ['failed calls', served.failures, 0],
    ['charges', totals.charges, served.calls],
    ['log rows', totals.logs, isBilled(profile) ? served.calls : 0],
    ['quota logged', totals.quotaLogged, costOf(totals.promptTokens, totals.completionTokens)],
    ['quota charged', sums.charged, totals.quotaLogged],
    ['quota users used', sums.used, totals.quotaLogged],
    ['free + leased + used', sums.free + sums.leased + sums.used, sums.credited],
    ['leased after the end', sums.leased, 0],
  ]
  if (served.aborted === 0) {
    const isLogged = isBilled(profile)
    comparisons.push(
      ['prompt tokens logged', totals.promptTokens, isLogged ? served.promptTokens : 0],
      ['completion tokens logged', totals.completionTokens, isLogged ? served.completionTokens : 0],
    )
  }
  return comparisons
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${what}: ${found} instead of ${expected}`)
}
