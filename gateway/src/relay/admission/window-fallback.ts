import { modelRefusal } from '../../accounts/callers/caller-refusal'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { WindowError } from '../../billing/ledger/window/window-refusal'
import { kindOfModel } from '../../channels/model-kind'
import { servedName } from '../../channels/routing/priority-levels'
import type { Clock } from '../../platform/time/clock'
import type { Caller, IncomingCall } from '../call'
import type { ModelChoice } from './call-view'
import type { ChosenModel } from './model-choice'
import { noteRefusal } from './rate-standings'

/** Who calls which model. */
export interface RequestedModel {
  readonly caller: Caller
  readonly model: string
  /** How the call came to the model. Absent: it is the one that its caller names. */
  readonly modelChoice?: ModelChoice | undefined
}

/** What is done for a model: it is priced, then what it may cost is taken from balances and windows. */
interface Steps<Quote, Result> {
  readonly quote: (requested: RequestedModel) => Quote
  readonly take: (requested: RequestedModel, quote: Quote) => Promise<Result>
  /** Returns the model for which a name stands. Default: the name itself. */
  readonly choose?: (named: string) => ChosenModel
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
  { quote, take, choose = (model) => ({ model }), isModelFixed = false }: Steps<Quote, Result>,
  clock: Clock,
): Promise<Result> {
  let refusal: WindowError | null = null
  for (let present = requested; ;) {
    const quoted: Quote = unlessRefused(refusal, () => quote(present))
    try {
      return await take(present, quoted)
    } catch (error) {
      if (!(error instanceof WindowError)) throw error
      noteRefusal(call, error, clock)
      const fallback = isModelFixed ? null : fallbackOf(error, present, call, choose)
      if (fallback === null) throw error
      refusal = error
      present = { caller: withoutWindow(present.caller, error.window), ...fallback }
    }
  }
}

function unlessRefused<Result>(refusal: WindowError | null, find: () => Result): Result {
  try {
    return find()
  } catch (error) {
    throw refusal ?? error
  }
}

/** Returns the model with which a refused call goes on, or that of an alias; null where there is none of its kind that its caller may use. */
function fallbackOf(
  refusal: WindowError,
  { caller, model, modelChoice }: RequestedModel,
  { catalog }: FallbackCall,
  choose: (named: string) => ChosenModel,
): ChosenModel | null {
  const { fallbackModel } = refusal.window
  if (fallbackModel === null) return null
  const named = servedName(fallbackModel, caller.group, catalog)
  if (modelRefusal(caller, named)) return null
  const { model: served, modelChoice: { next, on } = goesNowhere } = unlessRefused(refusal, () => choose(named))
  if (served === model || kindOfModel(served) !== kindOfModel(model)) return null
  return { model: served, modelChoice: { requested: modelChoice?.requested ?? model, reason: 'window', next, on } }
}

const goesNowhere: Pick<ModelChoice, 'next' | 'on'> = { next: [], on: new Set() }

function withoutWindow(caller: Caller, used: LimitWindow): Caller {
  const others = (windows: readonly LimitWindow[]) => windows.filter(({ account }) => account !== used.account)
  return {
    ...caller,
    payer: { ...caller.payer, windows: others(caller.payer.windows ?? []) },
    plans: caller.plans.map(({ plan, windows }) => ({ plan, windows: others(windows) })),
  }
}
