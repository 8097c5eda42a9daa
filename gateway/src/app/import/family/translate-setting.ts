import { ChannelRewrite, ChannelSetting } from '@tollgate/contract'
import { isObject } from '@tollgate/dialects'
import type { z } from 'zod'

import { parsedJson } from '../../../platform/text/parsed-json'
import type { Lineage } from './lineage'
import type { ChannelRow } from './channel-row'

export interface Translated {
  /** JSON, or empty. */
  readonly text: string
  readonly systemPrompt: string
  readonly paramOverride: string
  readonly notes: readonly string[]
  /** Why the channel must not be used; null: it may. */
  readonly fault: string | null
}

type Row = Pick<ChannelRow, 'setting' | 'settings' | 'header_override' | 'param_override' | 'system_prompt'>

/** Settings that do nothing while they have these values. */
const isIdle = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  value === 0 ||
  (isObject(value) && Object.keys(value).length === 0)

/** Returns a channel's setting in our terms. What there is no equal of is named in the notes. */
export function settingOf(row: Row, lineage: Lineage): Translated {
  const notes: string[] = []
  const stored = objectIn(row.setting, 'setting', notes)
  const { system_prompt: prompt, proxy = '', ...rest } = stored
  const setting: Record<string, unknown> = {}
  for (const [name, value] of Object.entries({
    ...rest,
    ...vendorSettings(objectIn(row.settings, 'settings', notes)),
  })) {
    if (isIdle(value)) continue
    if (isKnown(name, value)) setting[name] = value
    else notes.push(`its setting ${name} is unknown here`)
  }
  const isProxyUsable = proxy === '' || (typeof proxy === 'string' && /^https?:\/\//i.test(proxy))
  if (isProxyUsable && proxy !== '') setting['proxy'] = proxy
  const headers = headersOf(row.header_override, notes)
  if (headers) setting['rewrites'] = [headers]
  return {
    text: Object.keys(setting).length === 0 ? '' : JSON.stringify(setting),
    systemPrompt: row.system_prompt || (typeof prompt === 'string' ? prompt : ''),
    paramOverride: overrideOf(row.param_override, lineage, notes),
    notes,
    fault: isProxyUsable ? null : 'it has a proxy of another kind than http and https',
  }
}

const shapes: Readonly<Record<string, z.ZodType>> = ChannelSetting.shape
const isKnown = (name: string, value: unknown): boolean =>
  Object.hasOwn(shapes, name) && shapes[name]?.safeParse(value).success === true

/** Returns the second setting without what has no consequence for calls. */
const vendorSettings = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('upstream_model_update_')))

/** Returns the object that a column has as JSON; an empty one, with a note, where it has something else. */
export function objectIn(text: string, column: string, notes: string[]): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  const value = parsedJson(text)
  if (isObject(value)) return value
  if (value !== null) notes.push(`its ${column} is not a JSON object`)
  return {}
}

/** Placeholders stand for parts of the client's request; a star, or a pattern, for headers of the client. */
const isPlain = ([name, value]: readonly [string, unknown]): boolean =>
  typeof value === 'string' && !/[{}]/.test(value) && name !== '*' && !name.startsWith('re:')

function headersOf(text: string, notes: string[]): ChannelRewrite | null {
  const entries = Object.entries(objectIn(text, 'header_override', notes))
  const plain = entries.filter(isPlain)
  if (plain.length < entries.length)
    notes.push('its header_override has placeholders or patterns, which are unknown here')
  if (plain.length === 0) return null
  const rewrite = ChannelRewrite.safeParse({ header_override: Object.fromEntries(plain) })
  if (!rewrite.success) notes.push('its header_override has headers that cannot be set here')
  return rewrite.data ?? null
}

/** New-api has a second form, a list of operations with conditions. */
function overrideOf(text: string, lineage: Lineage, notes: string[]): string {
  const value = objectIn(text, 'param_override', notes)
  if (Object.keys(value).length === 0) return ''
  if (lineage !== 'new-api' || !Array.isArray(value['operations'])) return text
  notes.push('its param_override is a list of operations, which is unknown here')
  return ''
}
