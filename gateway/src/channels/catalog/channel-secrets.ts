import { isObject } from '@tollgate/dialects'
import { z } from 'zod'

import type { Seal } from '../../platform/store/seal'
import type { ChannelRow } from '../../platform/store/tables'
import { parsedJson } from '../../platform/text/parsed-json'

/** What stands in the place of a credential, in the database and in responses. */
export const secretMask = '******'

/** The columns that may contain credentials: in addresses, and in values whose names say so. */
export const secretColumns = ['base_url', 'setting', 'param_override'] as const
type SecretColumn = (typeof secretColumns)[number]
export type SecretTexts = Readonly<Record<SecretColumn, string>>

/** The whole texts of the columns that are masked. */
const Secrets = z.object({
  base_url: z.string().optional(),
  setting: z.string().optional(),
  param_override: z.string().optional(),
})
export type Secrets = z.output<typeof Secrets>

type SealedRow = Pick<ChannelRow, 'id' | SecretColumn | 'secrets_sealed'>

/** Returns the row with its credentials. @throws Error when they were sealed with another key. */
export function withSecrets<Row extends SealedRow>(row: Row, seal: Pick<Seal, 'open'>): Row {
  if (row.secrets_sealed === '') return row
  const opened = Secrets.parse(JSON.parse(seal.open(row.secrets_sealed, `channels.secrets_sealed#${row.id}`)))
  // A release that does not know sealed credentials may have written a column since.
  const current = secretColumns.filter((column) => maskColumn(column, opened[column] ?? '') === row[column])
  return { ...row, ...Object.fromEntries(current.map((column) => [column, opened[column] ?? ''])) }
}

/** Returns the texts with their credentials masked, and those that have any. */
export function maskSecrets(texts: SecretTexts): { readonly shown: SecretTexts; readonly secrets: Secrets } {
  const shown: SecretTexts = {
    base_url: maskColumn('base_url', texts.base_url),
    setting: maskColumn('setting', texts.setting),
    param_override: maskColumn('param_override', texts.param_override),
  }
  const secrets = secretColumns.filter((column) => shown[column] !== texts[column])
  return { shown, secrets: Object.fromEntries(secrets.map((column) => [column, texts[column]])) }
}

/** Returns the credentials sealed for the row; empty where there are none. */
export const sealSecrets = (seal: Pick<Seal, 'seal'>, channelId: number, secrets: Secrets): string =>
  Object.keys(secrets).length === 0 ? '' : seal.seal(JSON.stringify(secrets), `channels.secrets_sealed#${channelId}`)

/** A user name or a password before the host. */
const userInfo = /^([a-z][a-z\d+.-]*:\/\/)[^/?#\s]*@/i

export const maskAddress = (text: string): string => text.replace(userInfo, `$1${secretMask}@`)

/** Names of values that are credentials. Counts such as `max_tokens` are numbers, which stay. */
const secretName = /secret|passw|pwd|credential|authorization|cookie|api-?_?key|(?:^|[-_.])(?:auth|key|token|bearer)$/i
const secretValue = /^(?:bearer|basic)\s|^(?:sk|pk|rk|xai|gsk)-./i

const maskColumn = (column: SecretColumn, text: string): string =>
  column === 'base_url' ? maskAddress(text) : maskJson(text)

/** Returns a JSON text with its credentials masked; what is not JSON, or has none, as it is. */
function maskJson(text: string): string {
  const value = parsedJson(text)
  if (!isObject(value)) return text
  const masked = maskValue(value, false)
  return JSON.stringify(masked) === JSON.stringify(value) ? text : formatLike(masked, text)
}

/** Returns a JSON text that is indented as another is. */
export const formatLike = (value: unknown, like: string): string =>
  JSON.stringify(value, null, like.includes('\n') ? 2 : undefined)

/** Returns a JSON value with its credentials masked. */
export const maskMembers = (value: unknown): unknown => maskValue(value, false)

function maskValue(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') {
    if (value === '') return value
    return isSecret || secretValue.test(value) ? secretMask : maskAddress(value)
  }
  if (Array.isArray(value)) return value.map((item) => maskValue(item, isSecret))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, item]) => [
    name,
    maskValue(item, isSecret || secretName.test(name)),
  ])
  return Object.fromEntries(members) as unknown
}
