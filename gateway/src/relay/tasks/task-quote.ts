import { isPriced } from '@tollgate/contract/price-formula'

import { AppError } from '../../platform/app-error'
import type { Channel } from '../../channels/catalog/catalog'
import type { Price } from '../../billing/pricing/price'
import { taskHold } from '../../tasks/task-charge'
import { storedPrice, type TaskTerms } from '../../tasks/task-terms'
import { taskTarget, type TaskAccount } from '../../tasks/vendor-call'
import { estimateTokens } from '../../billing/metering/tokens'
import { refuseLongPrompt, withinPriceCaps } from '../admission/caps'
import type { RelayDeps } from '../call-context'
import type { Caller, IncomingCall } from '../call'
import { channelsFor, candidatePricesOf } from '../pricing/candidate-prices'
import { billedModel } from '../stages/route'
import type { TaskOrder } from './task-order'

/** What a task may cost. */
export interface TaskQuote {
  /** The name it is billed under, without the prefix of a channel. */
  readonly model: string
  /** Quota to hold: the most that it costs at any of the channels that may take it. */
  readonly amount: number
  /** Channels without a price; they are not tried. */
  readonly unpriced: ReadonlySet<number>
  /** Milliseconds: decides about schedules of prices. */
  readonly submittedAt: number
  /** Returns the prices and what was accepted at the channel that took the task. */
  termsAt(account: TaskAccount): Pick<TaskTerms, 'sale' | 'cost' | 'accepted'>
}

/**
 * Returns what a task may cost.
 * @throws AppError `model.unpriced` when no channel has a price for it; `model.unknown`, `route.no_channel`, `endpoint.unsupported` when
 * no channel takes it; `cap.prompt`, `cap.price`.
 */
export function taskQuote(
  { catalog }: Pick<IncomingCall, 'catalog'>,
  caller: Caller,
  order: TaskOrder,
  { ctx }: Pick<RelayDeps, 'ctx'>,
): TaskQuote {
  const model = billedModel({ caller, catalog, model: order.model, mode: order.platform })
  const prices = candidatePricesOf({ model, called: order.model, caller }, catalog)
  const submittedAt = ctx.clock.now()
  const priceAt = (channel: Channel): Price | null => {
    const price = prices.priceAt(channel)
    return price !== null && isPriced(price.entry.prices) ? price : null
  }
  const acceptedBy = (account: TaskAccount) => order.accepts(account.channel.provider, taskTarget(ctx, account))
  const unpriced = new Set(prices.unpriced)
  let amount = 0
  let isAnyPriced = order.isFree === true
  for (const channel of channelsFor(order.model, caller, catalog)) {
    const [key] = channel.keys
    const price = priceAt(channel)
    if (price === null || !key) {
      if (!order.isFree) unpriced.add(channel.id)
      continue
    }
    isAnyPriced = true
    const account = { channel, key, upstreamModel: upstreamName(channel, model) }
    if (!order.isFree && channel.provider.tasks?.[order.platform] !== undefined)
      amount = Math.max(amount, taskHold(price, acceptedBy(account), submittedAt))
  }
  if (!isAnyPriced) throw new AppError('model.unpriced', { params: { model } })
  if (caller.caps.length > 0) {
    const { texts = [order.prompt] } = order
    refuseLongPrompt(
      caller.caps,
      texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    )
    withinPriceCaps(caller.caps, { max: amount, min: amount })
  }
  return {
    model,
    amount,
    unpriced,
    submittedAt,
    termsAt(account) {
      const accepted = acceptedBy(account)
      const price = priceAt(account.channel)
      if (order.isFree || price === null) return { sale: null, cost: null, accepted }
      const cost = catalog.prices.costOf(account.channel.id, model, account.channel.modelMapping.get(model))
      return {
        sale: storedPrice(price),
        cost: cost && { ...storedPrice(cost.price), kind: cost.kind },
        accepted,
      }
    },
  }
}

/** Returns the name by which a channel calls a model upstream. */
export const upstreamName = ({ modelMapping }: Pick<Channel, 'modelMapping'>, model: string): string =>
  modelMapping.get(model) ?? model
