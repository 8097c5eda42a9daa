import { logType, readLogDetails, type LogType, type logRoutes } from '@tollgate/contract'

import { isoTime, moneyColumns, type CsvColumn } from '../../http/response/csv-file'
import type { Language } from '../../http/language'

const typeNames: Readonly<Record<LogType, Readonly<Record<Language, string>>>> = {
  [logType.topUp]: { en: 'Top-up', zh: '充值' },
  [logType.consumption]: { en: 'Consumption', zh: '消费' },
  [logType.admin]: { en: 'Administration', zh: '管理' },
  [logType.system]: { en: 'System', zh: '系统' },
  [logType.checkIn]: { en: 'Check-in', zh: '签到' },
  [logType.error]: { en: 'Error', zh: '错误' },
}
const typeNamesByNumber = new Map(Object.entries(typeNames).map(([type, names]) => [Number(type), names]))

const typeName = (type: number, language: Language) => typeNamesByNumber.get(type)?.[language] ?? String(type)

export const ownLogColumns: readonly CsvColumn<logRoutes.OwnLogEntity>[] = [
  { name: { en: 'Time (UTC)', zh: '时间 (UTC)' }, cell: (row) => isoTime(row.created_at) },
  { name: { en: 'Unix time', zh: 'Unix 时间戳' }, cell: (row) => row.created_at },
  { name: { en: 'ID', zh: 'ID' }, cell: (row) => row.id },
  { name: { en: 'Request ID', zh: '请求 ID' }, cell: (row) => row.request_id },
  { name: { en: 'Type', zh: '类型' }, cell: (row, language) => typeName(row.type, language) },
  { name: { en: 'User ID', zh: '用户 ID' }, cell: (row) => row.user_id },
  { name: { en: 'Username', zh: '用户名' }, cell: (row) => row.username },
  { name: { en: 'Token ID', zh: '令牌 ID' }, cell: (row) => row.token_id },
  { name: { en: 'Token', zh: '令牌' }, cell: (row) => row.token_name },
  { name: { en: 'Model', zh: '模型' }, cell: (row) => row.model_name },
  { name: { en: 'Group', zh: '分组' }, cell: (row) => row.group },
  { name: { en: 'Stream', zh: '流式' }, cell: (row) => row.is_stream },
  { name: { en: 'Duration (s)', zh: '用时 (秒)' }, cell: duration },
  { name: { en: 'Input tokens', zh: '输入 Token' }, cell: (row) => row.prompt_tokens },
  { name: { en: 'Output tokens', zh: '输出 Token' }, cell: (row) => row.completion_tokens },
  ...moneyColumns<logRoutes.OwnLogEntity>({ en: 'Cost', zh: '费用' }, (row) => row.quota),
  { name: { en: 'IP address', zh: 'IP 地址' }, cell: (row) => row.client_ip },
  { name: { en: 'Content', zh: '内容' }, cell: (row) => row.content },
  { name: { en: 'Details', zh: '详情' }, cell: (row) => row.other },
]

export const logColumns: readonly CsvColumn<logRoutes.LogEntity>[] = [
  ...ownLogColumns,
  { name: { en: 'Channel ID', zh: '渠道 ID' }, cell: (row) => row.channel },
  { name: { en: 'Channel', zh: '渠道' }, cell: (row) => row.channel_name },
  { name: { en: 'Cost at the vendor (quota)', zh: '上游成本（额度）' }, cell: (row) => vendorCost(row.other) },
]

/** Returns seconds; empty for a call that a vendor made in its own time. */
function duration({ use_time, other }: Pick<logRoutes.OwnLogEntity, 'use_time' | 'other'>): number | '' {
  return other.includes('"use_time_ms":null') ? '' : use_time
}

/** Returns what the vendor charges for the call, in quota; empty where it is not known. */
const vendorCost = (details: string): number | '' =>
  details.includes('"cost":') ? (readLogDetails(details).admin_info?.cost ?? '') : ''
