import { covers } from '../../billing/plans/account-plans'
import { isOutOfQuota, type Payer } from '../../billing/ledger/ledger'
import { WindowError } from '../../billing/ledger/window/window-refusal'
import type { Clock } from '../../platform/time/clock'
import type { Caller } from '../call'
import type { CallerPlan } from './caller-limits'

/** A call for which someone has to pay. */
interface PaidCall {
  readonly caller: Caller
  /** The name it is billed under. */
  readonly model: string
  readonly clock: Pick<Clock, 'seconds'>
}

/**
 * Resolves with what the first payer makes possible: plans that cover the model, and the wallet, in the order that the plans say. The next one
 * is asked where a plan is used up, or the wallet is empty.
 * @throws what the first of them threw.
 */
export const payInTurn = <Result>(call: PaidCall, pay: (payer: Payer) => Promise<Result>): Promise<Result> =>
  call.caller.plans.length === 0 ? pay(call.caller.payer) : payByPlans(call, pay)

async function payByPlans<Result>(call: PaidCall, pay: (payer: Payer) => Promise<Result>): Promise<Result> {
  let refusal: unknown
  for (const payer of payersOf(call)) {
    try {
      return await pay(payer)
    } catch (error) {
      if (!isOwnFailure(payer, error)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** Returns whether a payer alone is to blame, so that another may pay. */
const isOwnFailure = ({ subscriptionId }: Payer, error: unknown): boolean =>
  subscriptionId === undefined
    ? isOutOfQuota(error) && error.code === 'quota.user'
    : error instanceof WindowError && error.window.owner === 'plan'

function payersOf({ caller, model, clock }: PaidCall): Payer[] {
  const now = clock.seconds()
  // A term that was renewed a little early pays already, as the one before it would.
  const running = caller.plans.filter(({ plan }) => now < plan.endsAt && covers(plan, model, caller.group))
  const payerOf = ({ plan, windows }: CallerPlan): Payer => ({
    ...caller.payer,
    subscriptionId: plan.subscriptionId,
    windows,
  })
  const first = running.filter(({ plan }) => plan.preference !== 'wallet_first').map(payerOf)
  const last = running.filter(({ plan }) => plan.preference === 'wallet_first').map(payerOf)
  const isWalletClosed = running.some(({ plan }) => plan.preference === 'plan_only')
  return [...first, ...(isWalletClosed ? [] : [caller.payer]), ...last]
}
