import * as z from 'zod'

import { callbackRoute, route } from '../http/route'

/** What the test of the callback address found. */
export const selfTestOutcomes = ['ok', 'no_address', 'not_public', 'unreachable', 'timeout', 'elsewhere'] as const

export const testCallbacks = route({
  method: 'POST',
  path: '/api/option/payment/self-test',
  audit: 'order.self_test',
  isWrite: false,
  access: 'settings.secure',
  limit: 'search',
  summary: 'Call our own callback address as a payment provider would, and report who responded',
  data: z.object({
    outcome: z.enum(selfTestOutcomes),
    /** The address that was called; empty: there is none. */
    url: z.string(),
    /** HTTP status of the response; 0: there was none. */
    status: z.int(),
    /** Beginning of a response that is not ours. */
    excerpt: z.string(),
  }),
})

const notify = {
  path: '/api/user/epay/notify',
  isWrite: true,
  summary: 'The Epay service reports a payment; answers `success` or `fail` as plain text',
} as const

export const epayNotify = callbackRoute({ ...notify, method: 'GET' })

export const epayNotifyByForm = callbackRoute({ ...notify, method: 'POST' })

const comeBack = {
  path: '/api/user/epay/return',
  isWrite: false,
  summary:
    'The Epay service sends the payer back; redirects to the page that waits for the report, and credits nothing',
} as const

export const epayReturn = callbackRoute({ ...comeBack, method: 'GET' })

export const epayReturnByForm = callbackRoute({ ...comeBack, method: 'POST' })

export const stripeWebhook = callbackRoute({
  method: 'POST',
  path: '/api/stripe/webhook',
  summary: 'Stripe reports an event; the signature is checked over the raw body',
})
