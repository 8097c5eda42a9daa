import * as z from 'zod'

import { listOf, PageQuery } from '../http/paging'
import { fileRoute, route } from '../http/route'
import { plainText, wholeNumberText } from '../pricing/units'

/** How a caller was authenticated; `command`: by the shell of the machine. */
export const auditMeans = ['guest', 'session', 'access_token', 'command'] as const

/** The outcome of a successful call; anything else is the code of an error. */
export const auditDone = 'ok'

/** What was changed, without secrets: the members that differ. */
const Facts = z.record(z.string(), z.unknown()).nullable()

/** One action: a write, a sign-in, a refusal, or a look at something secret. */
export const AuditEntity = z.object({
  id: z.number().int(),
  created_at: z.number().int(),
  /** The request id of the call's response. */
  request_id: z.string(),
  /** 0: not signed in. For a refused sign-in, the account that was tried. */
  user_id: z.number().int(),
  username: z.string(),
  /** The rank at that time: the role, 5 for a user with grants, 0 for a guest. */
  role: z.number().int(),
  means: z.enum(auditMeans),
  ip: z.string(),
  user_agent: z.string(),
  /** `area.verb`, as `channel.update`. */
  action: z.string(),
  method: z.string(),
  path: z.string(),
  /** `user`, `channel`, `token`, …; empty where the action has no single target. */
  target: z.string(),
  target_id: z.string(),
  target_name: z.string(),
  /** `ok`, or the code of the error in the response. */
  outcome: z.string(),
  before: Facts,
  after: Facts,
})
export type AuditEntity = z.output<typeof AuditEntity>

const text = plainText(255).trim().optional()

const AuditFilter = z.object({
  /** One row. */
  id: wholeNumberText.optional(),
  user_id: wholeNumberText.optional(),
  username: text,
  /** An action, or the area of several: `channel` finds `channel.update`. */
  action: text,
  target: text,
  target_id: text,
  /** `ok`, `refused` for everything else, or a code. */
  outcome: text,
  ip: text,
  request_id: text,
  /** Unix seconds; both ends are inclusive. */
  start_timestamp: wholeNumberText.optional(),
  end_timestamp: wholeNumberText.optional(),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const AuditQuery = PageQuery.extend(AuditFilter.shape)
export type AuditQuery = z.output<typeof AuditQuery>

/** Rows are counted up to this number, and pages lead no further; filters do. */
export const maxCount = 10_000

export const listAudit = route({
  method: 'GET',
  path: '/api/audit',
  access: 'audit.read',
  limit: 'search',
  summary:
    'Who did what, newest first. The super admin reads everything, others the actions of lower ranks and their own',
  query: AuditQuery,
  data: listOf(AuditEntity).extend({ total_is_lower_bound: z.boolean() }),
})

export const exportAudit = fileRoute({
  method: 'GET',
  path: '/api/audit/export',
  audit: 'audit.export',
  access: 'audit.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'All rows within the filters that the caller may read as a table, newest first',
  query: AuditFilter,
})
