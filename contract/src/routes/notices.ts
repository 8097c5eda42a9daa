import * as z from 'zod'

import { listOf, PageQuery } from '../http/paging'
import { route } from '../http/route'

/** Why there was no response: the address is not a public https one, the receiver took too long, or no connection could be established. */
const failures = ['address', 'timeout', 'unreachable'] as const

export const WebhookDelivery = z.object({
  id: z.string(),
  type: z.string(),
  url: z.string(),
  /** JSON, as it is sent. */
  body: z.string(),
  attempts: z.number().int(),
  created_at: z.number().int(),
  /** When it is tried next; null: never again. */
  due_at: z.number().int().nullable(),
  delivered_at: z.number().int().nullable(),
  /** Time of the last attempt; null: there was none. */
  attempted_at: z.number().int().nullable(),
  /** HTTP status of the last response; null: there was none. */
  status: z.number().int().nullable(),
  duration_ms: z.number().int().nullable(),
  /** The beginning of the last response. */
  response: z.string(),
  failure: z.enum(['', ...failures]),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const listDeliveries = route({
  method: 'GET',
  path: '/api/user/notices/deliveries',
  access: 'self.read',
  summary: 'Webhooks that were sent to the caller in the last fourteen days, newest first',
  query: PageQuery,
  data: listOf(WebhookDelivery),
})

export const redeliver = route({
  method: 'POST',
  path: '/api/user/notices/deliveries/{id}',
  isCompound: true,
  audit: 'self.redeliver',
  access: 'self.write',
  limit: 'critical',
  summary: 'Deliver one of the caller’s webhooks again, to the current address',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }),
})

export const sendTest = route({
  method: 'POST',
  path: '/api/user/notices/test',
  isCompound: true,
  audit: 'self.test_notice',
  access: 'self.write',
  limit: 'critical',
  summary: 'Send a test to where the caller’s notices go; a webhook appears in the list of deliveries',
  /** The destination. */
  data: z.object({ type: z.enum(['email', 'webhook']), to: z.string() }),
})
