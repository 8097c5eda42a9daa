import { AppError } from '../../platform/app-error'
import { afterMovements } from './after-movements'
import { keepEvent, lockedOrder, settle, store, type Applied, type ApplyDeps } from './apply-event'
import { closeRefunds, openRefunds } from './open-refunds'
import { withoutRefund } from './order-facts'

interface ResolutionRequest {
  readonly number: string
  /** Whether refunds went through whose responses were lost. */
  readonly wasPaidBack: boolean
  readonly operatorId: number
  readonly requestId: string
}

/**
 * Removes the mark from an order that an operator looked into. Refunds that did not go through after all give their quota back.
 * @throws AppError `order.none`.
 */
export async function resolveProblem(deps: ApplyDeps, resolutionRequest: ResolutionRequest): Promise<Applied> {
  const { number, wasPaidBack, operatorId, requestId } = resolutionRequest
  const { before, settled } = await deps.database.query.transaction().execute(async (transaction) => {
    const before = await lockedOrder(transaction, number)
    if (!before) throw new AppError('order.none')
    if (before.problem === '') return { before, settled: { after: before, movements: [] } }
    const now = deps.clock.seconds()
    const all = before.problem === 'refund' ? await openRefunds(transaction, before, now) : []
    const open = all.filter(({ isInProgress }) => !isInProgress)
    await closeRefunds(transaction, open, wasPaidBack ? 'paid_back' : 'refused')
    const undone = wasPaidBack ? 0 : open.reduce((sum, { minor }) => sum + minor, 0)
    const refunded = withoutRefund(before, undone)
    const settled = await settle(deps, transaction, before, { ...before, problem: '', refunded_minor: refunded })
    await store(deps, transaction, before, settled.after)
    await keepEvent(transaction, {
      order: before,
      event: { id: `resolved:${number}:${requestId}`, kind: 'resolved' },
      report: { provider: before.provider, source: 'operator', requestId, payload: JSON.stringify({ operatorId }) },
      outcome: before.problem,
      now,
    })
    return { before, settled }
  })
  await afterMovements(deps, requestId, settled.movements)
  return { outcome: 'applied', before, after: settled.after }
}
