import * as z from 'zod'

import { route } from '../http/route'

export const invitationCode = route({
  method: 'GET',
  path: '/api/user/aff',
  access: 'self.read',
  summary: 'The caller’s invitation code; /register?aff={code} is the link',
  data: z.string(),
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
