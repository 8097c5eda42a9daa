import { isOptionKey, isSecretOption } from '@tollgate/contract'

import type { Database } from '../../platform/store/database'
import type { Seal, SealContext } from '../../platform/store/seal'

/** What is sealed in the database, and how much of it a key fails to decrypt. */
export interface SealedTexts {
  readonly count: number
  readonly closed: number
}

/** Tries a key on every channel key and secret option. */
export async function trySealedTexts({ query }: Database, seal: Pick<Seal, 'open'>): Promise<SealedTexts> {
  const channels = await query.selectFrom('channels').select(['id', 'key_sealed', 'secrets_sealed']).execute()
  const options = await query.selectFrom('options').select(['key', 'value']).execute()
  const secrets = options.filter(({ key }) => isOptionKey(key) && isSecretOption(key))
  const texts = [
    ...channels.map(({ id, key_sealed: text }) => ({ text, place: `channels.key_sealed#${id}` as const })),
    ...channels.map(({ id, secrets_sealed: text }) => ({ text, place: `channels.secrets_sealed#${id}` as const })),
    ...secrets.map(({ key, value: text }) => ({ text, place: `options.value#${key}` as const })),
  ].filter(({ text }) => text !== '')
  return { count: texts.length, closed: texts.filter(({ text, place }) => !opens(seal, text, place)).length }
}

/** Returns whether a text was sealed with this key, for its place. */
export function opens(seal: Pick<Seal, 'open'>, text: string, place: SealContext): boolean {
  try {
    seal.open(text, place)
    return true
  } catch {
    return false
  }
}
