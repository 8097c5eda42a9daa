import { isOptionKey, isSecretOption } from '@tollgate/contract'

import type { Context } from '../src/context'

/** Put options in force without a call. */
export async function setOptionsIn(ctx: Context, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, text] of Object.entries(values)) {
    const value = isOptionKey(key) && isSecretOption(key) ? ctx.seal.seal(text, `options.value#${key}`) : text
    await ctx.database.query
      .insertInto('options')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
  await ctx.catalog.rebuild()
}
