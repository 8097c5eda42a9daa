import * as z from 'zod'

import { route } from '../http/route'

export const invitationCode = route({
  method: 'GET',
  path: '/api/user/aff',
  access: 'self.read',
  summary: 'The caller’s invitation code; /register?aff={code} is the link',
  data: z.string(),
})

export const commissions = route({
  method: 'GET',
  path: '/api/user/aff/commissions',
  access: 'self.read',
  isViewable: true,
  summary: 'What top-ups of those the caller invited bring the caller',
  data: z.object({
    /** In percent of the quota that a top-up credits; 0: new top-ups bring nothing. */
    rate: z.number(),
    /** For how many days after a registration; 0: always. */
    days: z.int(),
    /** Days from a top-up to the credit. */
    delay_days: z.int(),
    /** Quota that is yet to be credited. */
    pending: z.int(),
    /** When the next of it is credited; null: nothing is pending. */
    next_at: z.int().nullable(),
    /** Quota that was credited, without what refunds took back. */
    settled: z.int(),
  }),
})

/** Transfers earned quota (`aff_quota`) to the caller's balance. */
export const transferEarned = route({
  method: 'POST',
  path: '/api/user/aff_transfer',
  audit: 'self.transfer_earned',
  access: 'self.write',
  summary: 'Move quota earned by invitations to the balance; at least one unit (QuotaPerUnit)',
  body: z.object({ quota: z.number().int() }),
})
