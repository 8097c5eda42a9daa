import { channelStatus } from '@tollgate/contract'
import { providerOf, type Provider } from '@tollgate/providers'
import { z } from 'zod'

import { sha256, type Seal } from '../../platform/store/seal'
import type { Channel, ChannelKey } from './catalog'
import type { ChannelRow } from '../../platform/store/tables'

/** Why and when a key was disabled; a key without an entry is enabled. */
const KeyState = z.object({
  status: z.number().int(),
  reason: z.string().default(''),
  time: z.number().int().default(0),
})

const KeyStates = z.record(z.string(), KeyState)
export type KeyStates = z.output<typeof KeyStates>

const fingerprintLength = 16

/** Returns an identifier of a key that does not reveal it. */
export const fingerprintOf = (key: string): string => sha256(key).slice(0, fingerprintLength)

/** Stands for all logins of clients where calls are recorded by the key that made them. */
export const loginFingerprint = 'own-login'

/** In a shorter key four characters are too much of the secret. */
const minMaskedLength = 16
const ending = /[\w-]{4}$/

/**
 * Returns the last four characters of a key, to compare with what the vendor's console shows. Empty for a short key and for one that ends
 * like a document: a service account in JSON has only its fingerprint.
 */
export function maskedKey(key: string): string {
  const [last] = ending.exec(key) ?? []
  if (last === undefined || key.length < minMaskedLength) return ''
  return `${key.startsWith('sk-') ? 'sk-' : ''}…${last}`
}

/** Returns the keys in a channel's key field, each once. Commas and line ends separate them where the vendor takes several. */
export function splitKeys(text: string, provider: Provider): string[] {
  if (!provider.key.several) return text.trim() === '' ? [] : [text.trim()]
  return [
    ...new Set(
      text
        .split(/[,\n]/)
        .map((key) => key.trim())
        .filter((key) => key !== ''),
    ),
  ]
}

/** Returns the stored states; an unreadable text means that every key is enabled. */
export function parseKeyStates(text: string): KeyStates {
  if (text === '{}' || text === '') return {}
  try {
    return KeyStates.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the keys of a decrypted key field with their states. */
export function channelKeys(text: string, provider: Provider, states: KeyStates): ChannelKey[] {
  return splitKeys(text, provider).map((value) => {
    const fingerprint = fingerprintOf(value)
    return { value, fingerprint, isEnabled: (states[fingerprint]?.status ?? 1) === channelStatus.enabled }
  })
}

/** Returns the name of a channel's key: two channels may have the same key. */
export const keyName = ({ id }: Pick<Channel, 'id'>, { fingerprint }: Pick<ChannelKey, 'fingerprint'>): string =>
  `${id}:${fingerprint}`

/** Returns the name of a model at a channel. */
export const modelName = (channelId: number, model: string): string => `${channelId}/${model}`

/** Returns the keys of a channel in order; none when they were sealed with another secret. */
export function openKeys(
  { seal }: { readonly seal: Pick<Seal, 'open'> },
  row: Pick<ChannelRow, 'id' | 'type' | 'key_sealed'>,
): string[] {
  const provider = providerOf(row.type)
  try {
    const text = seal.open(row.key_sealed, `channels.key_sealed#${row.id}`)
    return provider ? splitKeys(text, provider) : [text]
  } catch {
    return []
  }
}
