import { isOptionKey, isSecretOption } from '@tollgate/contract'

import { storedPrices, storeRatios } from '../src/billing/pricing/price-store'
import { isRatioOption, ratioTexts } from '../src/billing/pricing/ratio-view'
import type { Context } from '../src/context'

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
    const before = ratioTexts(await storedPrices(transaction, 'sale'), ctx.catalog.current.prices)
    const changes = Object.entries(values).flatMap(([option, text]) =>
      isRatioOption(option) ? [{ option, before: tableIn(before.get(option)), after: tableIn(text) }] : [],
    )
    await storeRatios(ctx, changes, { source: 'own', username: 'test' }, transaction)
  })
  await ctx.catalog.rebuild()
}

const tableIn = (text: string | undefined) => JSON.parse(text || '{}') as Record<string, number>
