import type { Admission, AttemptRange, FullWindow, HoldRange, Ledger } from '../../billing/ledger/ledger'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { estimateQuota } from '../../billing/pricing/hold'
import type { Catalog, Choice } from '../../channels/catalog/catalog'
import { windowsOf } from '../../channels/catalog/channel-windows'
import type { CallContext } from '../call-context'
import { pinCallPrice } from '../pricing/call-price'

/** The windows of channels and their keys, of which the attempts of one call draw. */
export interface AttemptWindows {
  /** Returns a window that is known to have no room for an attempt; null where none is. */
  fullAt(choice: Choice): FullWindow | null
  /** Resolves with what an attempt holds, or with a window that has no room for it; null where there is nothing to draw from. */
  admit(choice: Choice): Promise<Admission | FullWindow> | null
}

type Admit = (windows: readonly LimitWindow[], choice: Choice) => Promise<Admission | FullWindow>

export const noWindows: AttemptWindows = { fullAt: () => null, admit: () => null }

/** Returns the windows of which attempts draw that are admitted in this way. */
export function attemptWindows(catalog: Catalog, ledger: Pick<Ledger, 'fullWindow'>, admit: Admit): AttemptWindows {
  if (catalog.channelWindows.size === 0) return noWindows
  return {
    fullAt(choice) {
      const windows = windowsOf(catalog, choice)
      return windows ? ledger.fullWindow(windows) : null
    },
    admit(choice) {
      const windows = windowsOf(catalog, choice)
      return windows ? admit(windows, choice) : null
    },
  }
}

/** Returns what a call may use at a channel. */
export function attemptRange(
  context: Pick<CallContext, 'view' | 'quote' | 'maxTokens'>,
  choice: Choice,
  windows: readonly LimitWindow[],
): AttemptRange {
  const { view, maxTokens } = context
  const candidate = candidateAt(context, choice)
  const output = (view.maxOutputTokens ?? maxTokens ?? candidate?.maxOutputTokens ?? 0) * view.choices
  return {
    cost: windows.some(({ measure }) => measure === 'quota') ? costRange(context, choice, output) : null,
    tokens: { prompt: view.promptTokens, completion: output },
  }
}

/** Returns what the vendor charges at most, and for the shortest responses; null where that is not known. */
function costRange(
  context: Pick<CallContext, 'view' | 'quote'>,
  choice: Choice,
  outputTokens: number,
): HoldRange | null {
  const { view, quote } = context
  const cost = quote.prices.costAt(choice.channel)
  if (!cost) return null
  const upstreamModel = upstreamName(choice)
  const price = pinCallPrice(cost.price, { ...candidateAt(context, choice), ...quote, view, upstreamModel })
  const max = estimateQuota(price, view.promptTokens, outputTokens)
  return { max, min: Math.min(max, estimateQuota(price, view.promptTokens, view.choices)) }
}

const upstreamName = ({ channel, model }: Choice): string => channel.modelMapping.get(model) ?? model

function candidateAt({ quote }: Pick<CallContext, 'quote'>, choice: Choice) {
  const name = upstreamName(choice)
  return quote.prices.all.find(({ upstreamModel }) => upstreamModel === name)
}
