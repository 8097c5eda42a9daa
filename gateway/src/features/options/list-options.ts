import {
  isOptionKey,
  isSecretOption,
  optionKeys,
  optionOf,
  optionText,
  optionWriter,
  parseOptions,
  role,
  type optionRoutes,
  type OptionKey,
} from '@tollgate/contract'
import type { z } from 'zod'

import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../store/database'

type OptionRow = z.output<typeof optionRoutes.OptionRow>

/** The options a caller may read as they are stored now, which another worker may have changed a moment ago. */
export async function listOptions(ctx: Context, reader: Pick<Caller, 'role'>): Promise<OptionRow[]> {
  const { texts, secrets } = await storedOptions(ctx.database.query)
  const values = parseOptions(texts)
  return optionKeys
    .filter((key) => mayRead(reader, key))
    .map((key) =>
      isSecretOption(key) ? { key, value: '', is_set: secrets.has(key) } : { key, value: optionText(key, values[key]) },
    )
}

/** Whether a caller may change an option. */
export const mayWrite = (caller: Pick<Caller, 'role'>, key: OptionKey): boolean =>
  caller.role >= role[optionWriter(key)]

const mayRead = (caller: Pick<Caller, 'role'>, key: OptionKey): boolean =>
  optionOf(key).isPublic || mayWrite(caller, key)

export interface StoredOptions {
  /** Of all options that are not secret. */
  readonly texts: Map<string, string>
  /** Which secrets are set; their values stay sealed. */
  readonly secrets: Set<OptionKey>
}

export async function storedOptions(query: Queries): Promise<StoredOptions> {
  const rows = await query.selectFrom('options').select(['key', 'value']).execute()
  const stored: StoredOptions = { texts: new Map(), secrets: new Set() }
  for (const { key, value } of rows) {
    if (!isOptionKey(key)) continue
    if (!isSecretOption(key)) stored.texts.set(key, value)
    else if (value !== '') stored.secrets.add(key)
  }
  return stored
}
