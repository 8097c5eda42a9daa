import {
  isOptionKey,
  isSecretOption,
  optionKeys,
  optionText,
  mayReadOption,
  parseOptions,
  type optionRoutes,
  type OptionKey,
} from '@tollgate/contract'
import type { z } from 'zod'

import { storedPrices } from '../../billing/pricing/price-store'
import type { Prices } from '../../billing/pricing/prices'
import { isRatioOption, ratioTexts } from '../../billing/pricing/ratio-view'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries, Transaction } from '../../platform/store/database'

type OptionRow = z.output<typeof optionRoutes.OptionRow>

/** Resolves with the options a caller may read as they are stored now, which another worker may have changed a moment ago. */
export async function listOptions(ctx: Context, reader: Pick<Caller, 'grants'>): Promise<OptionRow[]> {
  const { texts, secrets } = await storedOptions(ctx.database.query, ctx.catalog.current.prices)
  const values = parseOptions(texts)
  return optionKeys
    .filter((key) => mayReadOption(reader.grants, key))
    .map((key) =>
      isSecretOption(key) ? { key, value: '', is_set: secrets.has(key) } : { key, value: optionText(key, values[key]) },
    )
}

export interface StoredOptions {
  /** Texts of all options that are not secret. */
  readonly texts: Map<string, string>
  /** Which secrets are set; their values stay sealed. */
  readonly secrets: Set<OptionKey>
}

/** Resolves with what is stored; ratios of models are read from the price entries. */
export async function storedOptions(
  query: Queries | Transaction,
  prices: Pick<Prices, 'listOf'>,
): Promise<StoredOptions> {
  const rows = await query.selectFrom('options').select(['key', 'value']).execute()
  const texts = new Map<string, string>(ratioTexts(await storedPrices(query, 'sale'), prices))
  const stored: StoredOptions = { texts, secrets: new Set() }
  for (const { key, value } of rows) {
    if (!isOptionKey(key) || isRatioOption(key)) continue
    if (!isSecretOption(key)) stored.texts.set(key, value)
    else if (value !== '') stored.secrets.add(key)
  }
  return stored
}
