import * as z from 'zod'

import { route } from '../route'

export const invitationCode = route({
  method: 'GET',
  path: '/api/user/aff',
  access: 'user',
  summary: 'The caller’s invitation code; /register?aff={code} is the link',
  data: z.string(),
})

/** What `aff_quota` of the own account is for. */
export const transferEarned = route({
  method: 'POST',
  path: '/api/user/aff_transfer',
  audit: 'self.transfer_earned',
  access: 'user',
  summary: 'Move quota that invitations brought to the balance; at least one unit (QuotaPerUnit)',
  body: z.object({ quota: z.number().int() }),
})
