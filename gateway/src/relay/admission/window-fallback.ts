import { modelRefusal } from '../../accounts/callers/caller-refusal'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { WindowError } from '../../billing/ledger/window/window-refusal'
import { kindOfModel } from '../../channels/model-kind'
import { servedName } from '../../channels/routing/priority-levels'
import type { Clock } from '../../platform/time/clock'
import type { Caller, IncomingCall } from '../call'
import { noteRefusal } from './rate-standings'

/** Who calls which model. */
export interface RequestedModel {
  readonly caller: Caller
  readonly model: string
}

/** What is done for a model: it is priced, then what it may cost is taken from balances and windows. */
interface Steps<Quote, Result> {
  readonly quote: (requested: RequestedModel) => Quote
  readonly take: (requested: RequestedModel, quote: Quote) => Promise<Result>
  /** No other model can do the work. */
  readonly isModelFixed?: boolean
}

type FallbackCall = Pick<IncomingCall, 'catalog' | 'findings'>

/**
 * Resolves with what was taken. A window that is used up may name the model with which the call goes on, outside of that window.
 * @throws what `quote` and `take` throw; a call that cannot go on with that model stays refused by the window.
 */
export async function takeOrGoOn<Quote, Result>(
  call: FallbackCall,
  requested: RequestedModel,
  { quote, take, isModelFixed = false }: Steps<Quote, Result>,
  clock: Clock,
): Promise<Result> {
  let refusal: WindowError | null = null
  for (let present = requested; ;) {
    const quoted: Quote = quoteUnlessRefused(refusal, () => quote(present))
    try {
      return await take(present, quoted)
    } catch (error) {
      if (!(error instanceof WindowError)) throw error
      noteRefusal(call, error, clock)
      const model = isModelFixed ? null : fallbackOf(error, present, call)
      if (model === null) throw error
      refusal = error
      present = { caller: withoutWindow(present.caller, error.window), model }
    }
  }
}

function quoteUnlessRefused<Quote>(refusal: WindowError | null, quote: () => Quote): Quote {
  try {
    return quote()
  } catch (error) {
    throw refusal ?? error
  }
}

/** Returns the model with which a refused call goes on; null where there is none of its kind that its caller may use. */
function fallbackOf(
  { window: { fallbackModel } }: WindowError,
  { caller, model }: RequestedModel,
  { catalog }: FallbackCall,
): string | null {
  if (fallbackModel === null) return null
  const served = servedName(fallbackModel, caller.group, catalog)
  const isUsable = served !== model && kindOfModel(served) === kindOfModel(model) && !modelRefusal(caller, served)
  return isUsable ? served : null
}

function withoutWindow(caller: Caller, used: LimitWindow): Caller {
  const others = (windows: readonly LimitWindow[]) => windows.filter(({ account }) => account !== used.account)
  return {
    ...caller,
    payer: { ...caller.payer, windows: others(caller.payer.windows ?? []) },
    plans: caller.plans.map(({ plan, windows }) => ({ plan, windows: others(windows) })),
  }
}
