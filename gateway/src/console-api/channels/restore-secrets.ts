import { isObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import {
  formatLike,
  maskAddress,
  secretColumns,
  secretMask,
  type SecretTexts,
} from '../../channels/catalog/channel-secrets'
import { parsedJson } from '../../platform/text/parsed-json'

/** The channel that masked credentials are taken from. */
export interface SecretSource {
  readonly texts: SecretTexts
  /** Calls go where they went: otherwise the credentials in bodies could be read by choosing where they are sent. */
  readonly isSameDestination: boolean
}

/**
 * Returns the texts with the credentials that were sent back masked. An address gets its own back for the same host alone.
 * @throws AppError `channel.masked` for a mask without a credential behind it.
 */
export function restoreSecrets(editedTexts: Partial<SecretTexts>, source: SecretSource | null): Partial<SecretTexts> {
  const restored: Partial<Record<keyof SecretTexts, string>> = {}
  for (const column of secretColumns) {
    const text = editedTexts[column]
    if (text === undefined) continue
    const before = source?.texts[column] ?? ''
    restored[column] = text.includes(secretMask)
      ? restoreColumn(column, text, before, source?.isSameDestination ?? false)
      : text
  }
  return restored
}

function restoreColumn(column: keyof SecretTexts, text: string, before: string, isSameDestination: boolean): string {
  const createMaskedError = () =>
    new AppError('channel.masked', { params: { field: column }, envelopeFields: { field: column } })
  if (column === 'base_url') return restoreAddress(text, before) ?? fail(createMaskedError)
  const value = parsedJson(text)
  const known = parsedJson(before)
  if (!isObject(value)) return text
  const whole = restoreValue(value, isObject(known) ? known : {}, (masked, original) => {
    if (masked !== secretMask) return restoreAddress(masked, original) ?? fail(createMaskedError)
    if (!isSameDestination || original === '') throw createMaskedError()
    return original
  })
  return formatLike(whole, text)
}

function fail(error: () => Error): never {
  throw error()
}

/** Returns the address with the user info of the other; null when that is for another host. */
function restoreAddress(masked: string, original: string): string | null {
  if (!URL.canParse(masked) || !URL.canParse(original)) return null
  const [maskedUrl, known] = [new URL(masked), new URL(original)]
  if (maskedUrl.protocol !== known.protocol || maskedUrl.host !== known.host) return null
  const [, userInfo = ''] = /^[^:]+:\/\/([^/?#\s]*)@/.exec(original) ?? []
  return userInfo === '' ? null : masked.replace(`${secretMask}@`, () => `${userInfo}@`)
}

/** Walks both values along the same names. */
function restoreValue(value: unknown, known: unknown, restore: (masked: string, original: string) => string): unknown {
  if (typeof value === 'string') {
    const isMasked = value === secretMask || (value.includes(secretMask) && maskAddress(value) === value)
    return isMasked ? restore(value, typeof known === 'string' ? known : '') : value
  }
  if (Array.isArray(value))
    return value.map((item, index) => restoreValue(item, Array.isArray(known) ? known[index] : undefined, restore))
  if (!isObject(value)) return value
  const names = isObject(known) ? known : {}
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, restoreValue(item, names[name], restore)]),
  )
}
