import { channelRoutes } from '@tollgate/contract'

/** A channel in a server response. */
export const aChannel = (fields: Partial<channelRoutes.ChannelEntity> = {}): channelRoutes.ChannelEntity => ({
  id: 7,
  type: 501,
  status: 1,
  keys: [{ fingerprint: 'aaaa000011112222', masked: 'sk-…a1b2', status: 1, reason: '', time: 0 }],
  ...channelRoutes.blankFields,
  name: 'Main',
  models: 'kite-1,kite-2',
  other_info: '{}',
  response_time: 0,
  test_time: 0,
  test_failure: '',
  balance: 0,
  balance_currency: '',
  balance_updated_time: 0,
  used_quota: 0,
  created_time: 1_700_000_000,
  ...fields,
})

/** A fictional vendor: the console knows none by name. */
export const aVendor = (fields: Partial<channelRoutes.ChannelType> = {}): channelRoutes.ChannelType => ({
  type: 501,
  id: 'kite',
  name: { en: 'Kite AI', zh: '风筝' },
  is_popular: true,
  base_url: 'https://api.kite.example',
  key: { hint: { en: 'A key as kt-…', zh: '形如 kt-…' }, several: true },
  modes: ['chat'],
  fields: [],
  models: ['kite-1', 'kite-2', 'kite-3'],
  bills_abandoned: 'whole',
  has_model_list: true,
  retired_models: [],
  has_balance: false,
  ...fields,
})

/** The last hour of a day of traffic; there was none before. */
export const hoursBefore = (last: { count: number; errors: number }) => [
  ...Array.from({ length: 23 }, () => null),
  last,
]

/** A channel's traffic of a day. */
export const trafficOf = (id: number, fields: object = {}) => ({
  id,
  count: 99,
  errors: 1,
  quota: 500_000,
  p50_ms: 420,
  p95_ms: 2100,
  first_token_p50_ms: null,
  hours: hoursBefore({ count: 99, errors: 1 }),
  ...fields,
})

/** A channel's live data. */
export const liveOf = (id: number, fields: object = {}) => ({
  id,
  in_flight: 0,
  waiting: 0,
  limit: 0,
  state: 'steady',
  seconds_left: 0,
  models: [],
  keys: [],
  last_failure: null,
  ...fields,
})

/** Columns of the table of channels, beside the name. */
export const channelColumns = [
  'status',
  'failure',
  'failures',
  'inFlight',
  'latency',
  'response',
  'spend',
  'balance',
  'priority',
  'weight',
  'keys',
] as const
