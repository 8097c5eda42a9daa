import * as z from 'zod'

import { eventTargets } from '../stored/operator-events'
import { listOf, PageQuery } from '../http/paging'
import { settingsReaders } from '../rights/rights'
import { route } from '../http/route'

/** Values are text; scripts that send a bare number or flag are understood. */
const OptionText = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const OptionChange = z.object({ key: z.string().min(1).max(100), value: OptionText })

/** The grants of which an option requires one; which one is declared with the option. */
const optionWriters = ['settings.write', 'prices.write', 'balances.write'] as const

export const OptionRow = z.object({
  key: z.string(),
  /** Empty for secrets, which never leave the server. */
  value: z.string(),
  /** Secrets only: whether one is stored. */
  is_set: z.boolean().optional(),
})

export const listOptions = route({
  method: 'GET',
  path: '/api/option',
  access: settingsReaders,
  summary:
    'The options the caller may change and the public ones, with the values in force; of secrets only whether they are set',
  data: z.array(OptionRow),
})

export const setOption = route({
  method: 'PUT',
  path: '/api/option',
  audit: 'option.update',
  access: optionWriters,
  summary: 'Change one option',
  isOpenInDemo: true,
  body: OptionChange,
})

export const proxyView = route({
  method: 'GET',
  path: '/api/option/proxy',
  access: 'settings.read',
  summary: 'How this call reached the gateway, and the caller’s address as the gateway sees it',
  data: z.object({
    /** The socket peer's address. */
    peer: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    /** The caller's address as the gateway determines it with the current options. */
    address: z.string(),
    /** The same if `ReverseProxyEnabled` were on. */
    address_if_enabled: z.string(),
    has_trusted_proxies: z.boolean(),
    is_peer_trusted: z.boolean(),
  }),
})

export const testMail = route({
  method: 'POST',
  path: '/api/option/test_mail',
  isCompound: true,
  audit: 'option.test_mail',
  access: 'settings.secure',
  limit: 'critical',
  summary: 'Send a test mail with the stored settings and report what is wrong with them',
  body: z.object({ recipient: z.string().max(255) }),
})

/** What became of the test at one of the places that events go to. */
const EventTest = z.object({
  target: z.enum(['inbox', 'mail', ...eventTargets]),
  /** The address of a mail; otherwise empty. */
  to: z.string(),
  outcome: z.enum(['sent', 'refused', 'address', 'timeout', 'unreachable']),
  /** What a target that refused it responded, or why a mail failed. */
  detail: z.string(),
})
export type EventTest = z.output<typeof EventTest>

export const testEvents = route({
  method: 'POST',
  path: '/api/option/test_events',
  isCompound: true,
  audit: 'option.test_events',
  access: 'settings.secure',
  limit: 'critical',
  summary: 'Send a test to every place that the stored settings name for events, and report what became of each',
  data: z.array(EventTest),
})

export const testBucket = route({
  method: 'POST',
  path: '/api/option/test_bucket',
  isCompound: true,
  audit: 'option.test_bucket',
  access: 'settings.secure',
  limit: 'critical',
  summary:
    'Write, read, list and delete an object with the stored settings of the bucket and report what is wrong with them',
})

/** What a search of the web came to. */
const WebSearchTest = z.object({
  /** `refused`: the service responded, and not with results. */
  outcome: z.enum(['found', 'off', 'refused', 'timeout', 'unreachable']),
  /** Milliseconds. */
  took: z.number().int(),
  pages: z.array(z.object({ url: z.string(), title: z.string() })),
  /** The status and the beginning of a response that has no results; 0 without one. */
  status: z.number().int(),
  excerpt: z.string(),
})
export type WebSearchTest = z.output<typeof WebSearchTest>

export const testWebSearch = route({
  method: 'POST',
  path: '/api/option/test_web_search',
  isCompound: true,
  audit: 'option.test_web_search',
  access: 'settings.secure',
  limit: 'critical',
  summary: 'Search the web with the stored settings of the search service, and report what it found or responded',
  body: z.object({ query: z.string().min(1).max(400) }),
  data: WebSearchTest,
})

export const setOptions = route({
  method: 'PUT',
  path: '/api/option/batch',
  audit: 'option.update',
  access: optionWriters,
  summary: 'Change several options together: all of them or none',
  isOpenInDemo: true,
  body: z.object({ items: z.array(OptionChange).min(1).max(500) }),
})

/** One change of an option. Of a secret, `before` and `after` say only whether it was set: `set`, or nothing. */
export const OptionChangeRow = z.object({
  id: z.number().int(),
  created_at: z.number().int(),
  request_id: z.string(),
  user_id: z.number().int(),
  username: z.string(),
  before: z.string(),
  after: z.string(),
})

export const optionHistory = route({
  method: 'GET',
  path: '/api/option/history',
  access: settingsReaders,
  summary: 'Who changed an option when, from what to what, newest first; for readers of options that are not public',
  query: PageQuery.extend({ key: z.string().max(100) }),
  data: listOf(OptionChangeRow),
})
