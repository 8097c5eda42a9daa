import type { channelPriceRoutes } from '@tollgate/contract'

import { isUnusual } from '../../../../lib/text/unusual'
import { numberOf } from './price-conversion'
import { draftOf } from './price-draft'
import type { PriceDraft } from './price-fields'

/** In dollars, of a model without a price so far: for a million tokens, or a request. */
const usualPrice = 1

/** Returns the changed prices that are far above those before. */
export function unusualDrafts(drafts: readonly PriceDraft[], before: readonly channelPriceRoutes.ModelPrice[]) {
  const known = new Map(before.map((price) => [price.model, draftOf(price)]))
  return drafts
    .filter(({ isChanged, isBaseChanged, isReset }) => isChanged && isBaseChanged && !isReset)
    .flatMap((draft) =>
      (draft.kind === 'per-call' ? (['fixed'] as const) : (['input', 'output'] as const)).flatMap((field) => {
        const price = numberOf(draft[field]) ?? 0
        const usual = numberOf(known.get(draft.model)?.[field] ?? '') || usualPrice
        return isUnusual(price, usual) ? [{ model: draft.model, field, price }] : []
      }),
    )
}
