import { expect } from 'bun:test'

import type { Simulator } from '@tollgate/simulator'

import type { LedgerAudit } from './ledger-audit'

/** A response that a client received completely. */
export interface Held {
  readonly requestId: string
  readonly responseId: string
}

/**
 * Checks that every completely received response is charged once, with what the simulator counted at prices of 1 and 2 for a prompt and a
 * completion token; nothing is charged that was not served; all sums agree and no lease is open.
 */
export async function reconcile(ledger: LedgerAudit, simulator: Simulator, held: readonly Held[]): Promise<void> {
  const [charges, logs, sums] = await Promise.all([ledger.charges(), ledger.logs(), ledger.sums()])
  const chargeOf = new Map(charges.map((charge) => [charge.request_id, charge]))
  const logsOf = Map.groupBy(logs, (log) => log.request_id)
  const servedAs = new Map(simulator.requests.map((request) => [request.responseId, request]))
  expect(chargeOf.size).toBe(charges.length)
  for (const { requestId, responseId } of held) {
    const counted = servedAs.get(responseId)?.counted
    const rows = logsOf.get(requestId) ?? []
    expect(rows).toHaveLength(1)
    const cost = (counted?.promptTokens ?? 0) + 2 * (counted?.completionTokens ?? 0)
    expect(rows[0]).toMatchObject({
      prompt_tokens: counted?.promptTokens,
      completion_tokens: counted?.completionTokens,
      quota: cost,
    })
    expect(chargeOf.get(requestId)?.quota).toBe(cost)
  }
  expect(charges.length).toBeLessThanOrEqual(simulator.requests.length)
  expect(sums.leased).toBe(0)
  expect(sums.used).toBe(sums.charged)
  expect(sums.free + sums.used).toBe(sums.credited)
  expect(sums.requests).toBe(charges.length)
}
