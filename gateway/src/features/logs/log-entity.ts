import type { logRoutes } from '@tollgate/contract'

import type { LogRow } from '../../store/tables'

/** A row as an administrator sees it. */
export function logEntity(row: LogRow): logRoutes.LogEntity {
  return { ...commonPart(row), other: row.other, channel: row.channel_id, channel_name: row.channel_name }
}

/** A row as its user sees it: nothing of channels and of what only administrators are told. */
export const ownLogEntity = (row: LogRow): logRoutes.OwnLogEntity => ({
  ...commonPart(row),
  other: withoutInternals(row.other),
})

const commonPart = (row: LogRow): Omit<logRoutes.OwnLogEntity, 'other'> => ({
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
  content: row.content,
  client_ip: row.client_ip,
})

const isInternal = (key: string) => key === 'admin_info' || key.startsWith('channel_')

function withoutInternals(other: string): string {
  if (other === '') return ''
  try {
    const parsed: unknown = JSON.parse(other)
    if (typeof parsed !== 'object' || parsed === null) return ''
    return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([key]) => !isInternal(key))))
  } catch {
    return ''
  }
}
