import { expect, test } from 'bun:test'
import type * as z from 'zod'

import { AuditSearch } from '../../features/system/audit/audit-search'
import { ChannelSearch } from '../../features/channels/channel-search'
import { RedemptionCodeSearch } from '../../features/redemption-codes/redemption-code-search'
import { DashboardSearch } from '../../features/dashboard/dashboard-search'
import { InboxSearch } from '../../features/messages/inbox/inbox-search'
import { LogSearch } from '../../features/logs/log-search'
import { MessagesSearch } from '../../features/messages/message-search'
import { OrderSearch } from '../../features/payments/orders/order-search'
import { PricesSearch } from '../../features/catalogue/prices/price-search'
import { ModelSearch } from '../../features/catalogue/models/model-search'
import { TaskSearch } from '../../features/tasks/task-search'
import { AllTokenSearch } from '../../features/tokens/all/all-token-search'
import { TokenSearch } from '../../features/tokens/token-search'
import { UserSearch } from '../../features/users/user-search'
import { parseSearch, stringifySearch } from './search-params'

const paged = { page: 3, size: 50, sort: 'name', descending: true }
const ranged = { range: 'week', from: 1_700_000_000, to: 1_700_086_400 }

/** The state of each list, with every parameter that it has. */
const states: readonly (readonly [string, z.ZodType<object>, Record<string, unknown>])[] = [
  [
    'audit log',
    AuditSearch,
    {
      ...paged,
      ...ranged,
      username: '12',
      action: 'user.edit',
      target: 'user',
      target_id: '7',
      outcome: 'refused',
      ip: '10.0.0.1',
      request: 'req-1',
      open: 9,
    },
  ],
  [
    'channels',
    ChannelSearch,
    { ...paged, keyword: '7', group: 'vip', model: 'a,b', status: 3, type: 14, edit: 'new', open: 7 },
  ],
  ['codes', RedemptionCodeSearch, { ...paged, keyword: '100', status: '1', kind: 'gift', edit: '7', open: 7 }],
  [
    'dashboard',
    DashboardSearch,
    { days: 30, from: 1_700_000_000, to: 1_700_086_400, step: 'week', by: 'channel', metric: 'tokens', mine: false },
  ],
  ['inbox', InboxSearch, { page: 2, size: 20 }],
  [
    'usage log',
    LogSearch,
    {
      ...paged,
      ...ranged,
      type: 5,
      token: '42',
      model: 'kite 1 & 2',
      group: 'vip',
      username: 'mei',
      channel: 3,
      request: 'req-1',
      error: 'upstream.failed',
      slow: 10,
      cost: 5000,
      open: 3,
    },
  ],
  ['messages', MessagesSearch, { ...paged, ...ranged, keyword: 'a=b&c', edit: 'new', recipients: '3,4' }],
  [
    'orders',
    OrderSearch,
    { ...paged, ...ranged, keyword: '0042', status: 'paid', provider: 'stripe', problem: 'any', open: 'USR3NOpaid' },
  ],
  [
    'prices',
    PricesSearch,
    {
      ...paged,
      keyword: 'true',
      filter: 'own',
      scope: 'all',
      vendor: 'acme',
      kind: 'tokens',
      open: 'big-1',
      edit: '7',
      dialog: 'import',
    },
  ],
  [
    'price list',
    ModelSearch,
    {
      ...paged,
      keyword: '1e5',
      vendor: 'other',
      kind: 'image',
      group: 'vip',
      ability: 'tools',
      compare: true,
      calculator: true,
      in: 0,
      out: 500,
      cached: 100,
      mode: 'batch',
      view: 'cards',
      open: 'big-1',
    },
  ],
  [
    'tasks',
    TaskSearch,
    {
      ...paged,
      ...ranged,
      task: '12345678901234567890',
      channel: 3,
      username: 'mei',
      status: 'SUCCESS',
      action: 'MUSIC',
      platform: 'suno',
      open: 4,
    },
  ],
  [
    'tokens of all users',
    AllTokenSearch,
    { ...paged, keyword: '7', username: '12', status: 3, group: 'vip', near: true, limits: 7 },
  ],
  ['tokens', TokenSearch, { ...paged, keyword: '中文', status: 2, group: 'vip', near: true, edit: '7', limits: 7 }],
  [
    'users',
    UserSearch,
    { ...paged, keyword: '7', group: 'vip', status: 'closed', role: 10, near: true, edit: 'new', open: 7, limits: 7 },
  ],
]

test.each(states)('filters, order, page and panel of the %s survive the address', (_, schema, state) => {
  const address = stringifySearch(schema.parse(state))
  expect(schema.parse(parseSearch(address))).toEqual(state)
})

test.each(states)('the state of the %s has every parameter of its address', (_, schema, state) => {
  const known = 'shape' in schema ? Object.keys(Object(schema.shape)) : []
  expect(known.filter((name) => !(name in state) && name !== 'not')).toEqual([])
})

test.each(states)('invalid parameters of the %s count as absent', (_, schema, state) => {
  const broken = Object.fromEntries(Object.keys(state).map((name) => [name, { not: ['valid'] }]))
  expect(Object.values(schema.parse(broken)).filter((value) => value !== undefined)).toEqual([])
})
