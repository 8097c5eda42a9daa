import { ownLogDetails, type logRoutes } from '@tollgate/contract'

import type { Language } from '../../http/language'
import type { LogRow } from '../../platform/store/tables'
import { logContent } from './log-content'

/** Returns a row as an administrator sees it. */
export function logEntity(row: LogRow, language: Language): logRoutes.LogEntity {
  const common = commonPart(row, language)
  return { ...common, other: row.other, channel: row.channel_id, channel_name: row.channel_name }
}

/** Returns a row as its user sees it: nothing about channels or other facts for administrators. */
export function ownLogEntity(row: LogRow, language: Language): logRoutes.OwnLogEntity {
  return { ...commonPart(row, language), other: ownLogDetails(row.other) }
}

const commonPart = (row: LogRow, language: Language): Omit<logRoutes.OwnLogEntity, 'other'> => ({
  id: row.id,
  request_id: row.request_id,
  created_at: row.created_at,
  type: row.type,
  user_id: row.user_id,
  username: row.username,
  token_id: row.token_id,
  token_name: row.token_name,
  model_name: row.model_name,
  group: row.group,
  is_stream: row.is_stream === 1,
  use_time: row.use_time,
  prompt_tokens: row.prompt_tokens,
  completion_tokens: row.completion_tokens,
  quota: row.quota,
  content: logContent(row, language),
  client_ip: row.client_ip,
})
