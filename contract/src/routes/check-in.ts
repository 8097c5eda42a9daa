import * as z from 'zod'

import { route } from '../http/route'
import { BotCheckQuery } from './session'

export const checkInStatus = route({
  method: 'GET',
  path: '/api/user/check_in_status',
  access: 'self.read',
  summary: 'Whether the caller may check in now, and the quota of a check-in',
  data: z.object({
    /** False also while check-in is disabled. */
    can_check_in: z.boolean(),
    /** The least quota of a check-in. */
    min_quota: z.number().int(),
    /** The most quota of a check-in; the same where it is not random. */
    max_quota: z.number().int(),
    /** The time zone whose midnight begins a day. */
    time_zone: z.string(),
  }),
})

export const checkIn = route({
  method: 'POST',
  path: '/api/user/check_in',
  audit: 'self.check_in',
  botCheck: 'check-in',
  access: 'self.write',
  summary: 'Check in, once a day; the quota goes to the balance',
  query: BotCheckQuery,
  data: z.object({ quota: z.number().int() }),
})
