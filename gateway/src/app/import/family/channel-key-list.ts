import { providerOf } from '@tollgate/providers'
import { z } from 'zod'

import { parsedJson } from '../../../platform/text/parsed-json'
import type { SourceKey } from '../site-source'
import { int, trimmed } from '../source/values'
import type { Lineage } from './lineage'
import type { ChannelRow } from './channel-row'
import { objectIn } from './translate-setting'

interface KeyList {
  readonly keys: readonly SourceKey[]
  readonly notes: readonly string[]
}

/** The states of a channel's keys, by their place in the list. */
const KeyInfo = z.object({
  multi_key_status_list: z.record(z.string(), z.coerce.number()).catch({}).default({}),
  multi_key_disabled_reason: z.record(z.string(), z.string()).catch({}).default({}),
  multi_key_disabled_time: z.record(z.string(), z.coerce.number()).catch({}).default({}),
})

const enabled = 1

/** Returns the keys of a channel with their states. */
export function keysOf(
  row: Pick<ChannelRow, 'key' | 'config' | 'channel_info'>,
  lineage: Lineage,
  type: number | null,
): KeyList {
  const notes: string[] = []
  const texts = splitKeys(row.key, objectIn(row.config, 'config', notes), lineage, type)
  const info = KeyInfo.parse(objectIn(row.channel_info, 'channel_info', notes))
  const all = texts.map((value, index) => ({
    value,
    isEnabled: (info.multi_key_status_list[index] ?? enabled) === enabled,
    reason: info.multi_key_disabled_reason[index] ?? '',
    disabledAt: info.multi_key_disabled_time[index] ?? 0,
  }))
  const takesOne = type !== null && providerOf(type)?.key.several === false
  const [first] = [...all.filter(({ isEnabled }) => isEnabled), ...all]
  if (!takesOne || all.length < 2 || !first) return { keys: all, notes }
  notes.push(`it has ${all.length} keys, and its vendor's channels take one here: make others`)
  return { keys: [first], notes }
}

type Config = Readonly<Record<string, unknown>>

function splitKeys(key: string, config: Config, lineage: Lineage, type: number | null): string[] {
  const text = key.trim()
  const documents: unknown = text.startsWith('[') ? parsedJson(text) : undefined
  if (Array.isArray(documents))
    return documents.map((document: unknown) => (typeof document === 'string' ? document : JSON.stringify(document)))
  // A service account is one document, with commas and lines of its own.
  if (text.startsWith('{')) return [text]
  if (lineage === 'one-api') return oneApiKey(text, config, type)
  return text
    .split(lineage === 'veloera' ? /[,\n]/ : /\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const bedrock = 33
const vertex = 41
const KeyParts = z.object({ ak: trimmed, sk: trimmed, region: trimmed, vertex_ai_adc: trimmed, user_id: int })

/** One-api keeps the parts of some keys in columns of their own. */
function oneApiKey(text: string, config: Config, type: number | null): string[] {
  const { ak, sk, region, vertex_ai_adc: account } = KeyParts.parse(config)
  if (type === bedrock && ak !== '') return [[ak, sk, region].join('|')]
  if (type === vertex && account !== '') return [account]
  return text === '' ? [] : [text]
}
