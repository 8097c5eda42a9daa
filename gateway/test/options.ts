import { isOptionKey, isSecretOption } from '@tollgate/contract'

import { isRatioOption, ratioTexts, storeRatios } from '../src/channels/catalog/ratio-options'
import { storedPrices } from '../src/channels/catalog/price-store'
import type { Context } from '../src/context'
import { pricesOf } from '../src/billing/metering/price-book/prices'

/** Puts options in force without a call. */
export async function setOptionsIn(ctx: Context, values: Readonly<Record<string, string>>): Promise<void> {
  const { query } = ctx.database
  for (const [key, text] of Object.entries(values)) {
    if (isRatioOption(key)) continue
    const value = isOptionKey(key) && isSecretOption(key) ? ctx.seal.seal(text, `options.value#${key}`) : text
    await query
      .insertInto('options')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
  await query.transaction().execute(async (transaction) => {
    const before = ratioTexts(await storedPrices(transaction, 'sale'), pricesOf(ctx.catalog.current))
    const changes = Object.entries(values).flatMap(([option, text]) =>
      isRatioOption(option) ? [{ option, before: tableIn(before.get(option)), after: tableIn(text) }] : [],
    )
    await storeRatios(ctx, changes, { source: 'own', username: 'test' }, transaction)
  })
  await ctx.catalog.rebuild()
}

const tableIn = (text: string | undefined) => JSON.parse(text || '{}') as Record<string, number>
