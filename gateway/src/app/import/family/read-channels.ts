import { z } from 'zod'

import { readTable, type ReadableTable } from '../source/read-table'
import type { SourceChannel } from '../site-source'
import { int, trimmed } from '../source/values'
import { typeMatch, type TypeMatch } from './channel-types'
import { keysOf } from './channel-key-list'
import { ChannelRow } from './channel-row'
import type { Lineage } from './lineage'
import { objectIn, settingOf } from './translate-setting'

/** Yields the channels of a site. */
export async function* readChannels(table: ReadableTable, lineage: Lineage): AsyncGenerator<readonly SourceChannel[]> {
  for await (const rows of readTable(table, { table: 'channels', key: 'id', schema: ChannelRow }))
    yield rows.map((row) => channelOf(row, lineage))
}

const Config = z.object({ region: trimmed, sk: trimmed, ak: trimmed, api_version: trimmed, library_id: trimmed })
const Reason = z.object({ status_reason: trimmed, status_time: int })

function channelOf(row: ChannelRow, lineage: Lineage): SourceChannel {
  const match = typeMatch(lineage, row.type, row.base_url !== '')
  const { keys, notes } = keysOf(row, lineage, match.type)
  const setting = settingOf(row, lineage)
  const { status_reason: disabledReason, status_time: disabledAt } = Reason.parse(row.other_info)
  return {
    id: row.id,
    sourceType: String(row.type),
    type: match.type,
    name: row.name || `channel ${row.id}`,
    keys,
    status: row.status,
    disabledReason,
    disabledAt,
    fields: {
      base_url: row.base_url || (match.baseUrl ?? ''),
      models: row.models,
      group: row.group.trim() || 'default',
      priority: Math.max(row.priority, lowestPriority),
      weight: Math.max(row.weight, 0),
      tag: row.tag || null,
      other: otherOf(row, match),
      openai_organization: row.openai_organization,
      model_mapping: emptyUnlessObject(row.model_mapping),
      status_code_mapping: emptyUnlessObject(row.status_code_mapping),
      param_override: setting.paramOverride,
      setting: setting.text,
      system_prompt: setting.systemPrompt,
      model_prefix: row.model_prefix,
      test_model: row.test_model,
      max_input_tokens: Math.max(row.max_input_tokens, 0),
      auto_ban: row.auto_ban,
    },
    usedQuota: row.used_quota,
    balance: row.balance,
    balanceAt: row.balance_updated_time,
    responseMs: row.response_time,
    testedAt: row.test_time,
    createdAt: row.created_time,
    notes: [...(match.note === undefined ? [] : [match.note]), ...notes, ...setting.notes],
    fault: setting.fault,
  }
}

const lowestPriority = -999
const [iFlytek, aiProxyLibrary, gemini, azure, vertex] = [18, 21, 24, 3, 41] as const
const withVersion: ReadonlySet<number> = new Set([azure, iFlytek, gemini])

/** One-api has had the vendors' own fields in a column of JSON, after the first releases. */
function otherOf({ other, config }: ChannelRow, { type }: TypeMatch): string {
  if (other !== '' || type === null) return other
  const { api_version: version, library_id: library, region } = Config.parse(objectIn(config, 'config', []))
  if (withVersion.has(type)) return version
  if (type === aiProxyLibrary) return library
  return type === vertex ? region : ''
}

/** Forms of these products store `{}`, `null` and blanks for nothing. */
const emptyUnlessObject = (value: string): string => (emptyValues.has(value.replace(/\s/g, '')) ? '' : value)
const emptyValues: ReadonlySet<string> = new Set(['', '{}', 'null'])
