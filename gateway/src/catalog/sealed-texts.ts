import { isOptionKey, isSecretOption } from '@tollgate/contract'

import type { Database } from '../store/database'
import type { Seal } from '../store/seal'

/** What is sealed in the database, and how much of it a key does not open. */
export interface SealedTexts {
  readonly count: number
  readonly closed: number
}

/** Tries a key on every channel key and secret option. */
export async function trySealedTexts({ query }: Database, seal: Pick<Seal, 'open'>): Promise<SealedTexts> {
  const channels = await query.selectFrom('channels').select('key_sealed').execute()
  const options = await query.selectFrom('options').select(['key', 'value']).execute()
  const secrets = options.filter(({ key, value }) => isOptionKey(key) && isSecretOption(key) && value !== '')
  const texts = [...channels.map((row) => row.key_sealed), ...secrets.map(({ value }) => value)].filter(Boolean)
  return { count: texts.length, closed: texts.filter((text) => !opens(seal, text)).length }
}

/** Whether the key is the one that a text was sealed with. */
export function opens(seal: Pick<Seal, 'open'>, text: string): boolean {
  try {
    seal.open(text)
    return true
  } catch {
    return false
  }
}
