import { auditRoutes } from '@tollgate/contract'

import { handler, type Handler, type Call } from '../../http/handler'
import { findAudit, eachAudit } from './find-audit'
import { csvFile, isoTime, type CsvColumn } from '../../http/response/csv-file'
import type { FileResult } from '../../http/response/file-response'

export const auditHandlers: readonly Handler[] = [
  handler(auditRoutes.listAudit, ({ query }, { ctx, caller }) => findAudit(ctx, caller, query)),
  handler(auditRoutes.exportAudit, ({ query }, call) => exportAudit(query, call)),
]

/** Returns all rows within the filters that the caller may read, as a file. */
const exportAudit = (filter: auditRoutes.AuditFilter, call: Call<'user'>): Promise<FileResult> =>
  csvFile('audit', columns, eachAudit(call.ctx, call.caller, filter), call)

const facts = (value: unknown) => (value === null ? '' : JSON.stringify(value))

const columns: readonly CsvColumn<auditRoutes.AuditEntity>[] = [
  { name: { en: 'Time (UTC)', zh: '时间 (UTC)' }, cell: (row) => isoTime(row.created_at) },
  { name: { en: 'User ID', zh: '用户 ID' }, cell: (row) => row.user_id || '' },
  { name: { en: 'Username', zh: '用户名' }, cell: ({ username }) => username },
  { name: { en: 'Rank', zh: '级别' }, cell: ({ role }) => role },
  { name: { en: 'Signed in by', zh: '登录方式' }, cell: ({ means }) => means },
  { name: { en: 'Action', zh: '操作' }, cell: ({ action }) => action },
  { name: { en: 'Target', zh: '对象' }, cell: ({ target }) => target },
  { name: { en: 'Target ID', zh: '对象 ID' }, cell: (row) => row.target_id },
  { name: { en: 'Target name', zh: '对象名称' }, cell: (row) => row.target_name },
  { name: { en: 'Outcome', zh: '结果' }, cell: ({ outcome }) => outcome },
  { name: { en: 'Before', zh: '修改前' }, cell: ({ before }) => facts(before) },
  { name: { en: 'After', zh: '修改后' }, cell: ({ after }) => facts(after) },
  { name: { en: 'IP address', zh: 'IP 地址' }, cell: ({ ip }) => ip },
  { name: { en: 'Browser or program', zh: '浏览器或程序' }, cell: (row) => row.user_agent },
  { name: { en: 'Method', zh: '方法' }, cell: ({ method }) => method },
  { name: { en: 'Path', zh: '路径' }, cell: ({ path }) => path },
  { name: { en: 'Request ID', zh: '请求 ID' }, cell: (row) => row.request_id },
]
