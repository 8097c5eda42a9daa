import { day, spans, type Call, type Query } from './call'
import { taskCalls } from './task-calls'

/** One condition each, of frequent and of rare values, and combinations of both. */
const filters: Record<string, Query> = {
  nothing: {},
  'type consumption': { type: 2 },
  'type error': { type: 6 },
  'type top-up, none': { type: 1 },
  'user, heavy': { username: 'user2' },
  'user, light': { username: 'user5000' },
  'user, none': { username: 'missing-user' },
  token: { token_name: 'key-2' },
  model: { model_name: 'model-26' },
  'model, none': { model_name: 'no-such-model' },
  'model pattern': { model_name: 'model-2%' },
  'model pattern, many': { model_name: '%model%' },
  channel: { channel: 11 },
  'channel, none': { channel: 9999 },
  group: { group: 'vip' },
  'request id': { request_id: 'req5000000' },
  'user and model': { username: 'user2', model_name: 'model-27' },
  'user and error': { username: 'user2', type: 6 },
  'light user and error': { username: 'user5000', type: 6 },
  'token and group': { token_name: 'key-7', group: 'svip' },
  'channel and model': { channel: 11, model_name: 'model-27' },
  'channel and error': { channel: 11, type: 6 },
  'group and error': { group: 'vip', type: 6 },
  'pattern and group': { model_name: '%-1%', group: 'vip' },
}

const { 'request id': _, ...usage } = filters
const own = (query: Query) => !('username' in query) && !('channel' in query)

function logCalls(now: number): Call[] {
  const calls: Call[] = []
  for (const [span, range] of Object.entries(spans(now))) {
    for (const [filter, required] of Object.entries(filters)) {
      const query = { ...required, ...range, page_size: 20 }
      calls.push({ name: `log: ${filter}, ${span}`, path: '/api/log', query })
      if (own(required)) calls.push({ name: `own log: ${filter}, ${span}`, path: '/api/log/self', query, as: 'user' })
    }
  }
  for (const p of [2, 100, 5000, 100_000]) {
    calls.push({ name: `log: page ${p}`, path: '/api/log', query: { p, page_size: 100 } })
    calls.push({ name: `log: page ${p} of errors`, path: '/api/log', query: { p, page_size: 100, type: 6 } })
    calls.push({ name: `own log: page ${p}`, path: '/api/log/self', query: { p, page_size: 100 }, as: 'user' })
  }
  return calls
}

function statCalls(now: number): Call[] {
  const calls: Call[] = []
  for (const [span, range] of Object.entries(spans(now))) {
    for (const [filter, required] of Object.entries(usage)) {
      if ('type' in required) continue
      const query = { ...required, ...range }
      calls.push({ name: `stat: ${filter}, ${span}`, path: '/api/log/stat', query })
      if (own(required))
        calls.push({ name: `own stat: ${filter}, ${span}`, path: '/api/log/self/stat', query, as: 'user' })
    }
  }
  return calls
}

const groupings = ['model', 'token', 'group', 'channel', 'user']
const offsets = { UTC: 0, China: 480, India: 330 }

function dashboardCalls(now: number): Call[] {
  const calls: Call[] = []
  const spansOfCharts = { day: 1, week: 7, month: 30, quarter: 90, 'four hundred days': 400 }
  for (const [span, days] of Object.entries(spansOfCharts)) {
    const granularity = days === 1 ? 'hour' : days > 90 ? 'week' : 'day'
    const range = { start_timestamp: now - days * day, end_timestamp: now, granularity }
    for (const group_by of groupings) {
      for (const [zone, utc_offset] of Object.entries(offsets)) {
        const query = { ...range, group_by, utc_offset }
        calls.push({ name: `dashboard: by ${group_by}, ${span}, ${zone}`, path: '/api/data', query })
        if (group_by === 'channel' || group_by === 'user') continue
        calls.push({
          name: `own dashboard: by ${group_by}, ${span}, ${zone}`,
          path: '/api/data/self',
          query,
          as: 'user',
        })
      }
      for (const filter of ['user, heavy', 'token', 'model', 'model pattern', 'channel', 'channel and model']) {
        const query = { ...range, ...filters[filter], group_by, utc_offset: 480 }
        calls.push({ name: `dashboard: ${filter} by ${group_by}, ${span}`, path: '/api/data', query })
      }
      // What the page asks for.
      const measured = { ...range, group_by, utc_offset: 480, measures: 'true' }
      calls.push({ name: `dashboard with measures: by ${group_by}, ${span}`, path: '/api/data', query: measured })
    }
  }
  const measures = { start_timestamp: now - 90 * day, granularity: 'day', measures: 'true' }
  for (const username of ['user2', 'user5000']) {
    const query = { ...measures, username }
    calls.push({ name: `dashboard with measures: ${username}, quarter`, path: '/api/data', query })
  }
  calls.push({ name: 'own dashboard with measures: quarter', path: '/api/data/self', query: measures, as: 'user' })
  for (const [span, days] of Object.entries(spansOfCharts)) {
    const range = { start_timestamp: now - days * day, granularity: days === 1 ? 'hour' : 'day', utc_offset: 480 }
    for (const group_by of ['channel', 'key', 'model', 'group', 'user', 'time'])
      calls.push({
        name: `earnings: by ${group_by}, ${span}`,
        path: '/api/data/earnings',
        query: { ...range, group_by },
      })
    const drilled = { ...range, channel: '6', group_by: 'model' }
    calls.push({ name: `earnings: channel by model, ${span}`, path: '/api/data/earnings', query: drilled })
  }
  calls.push({ name: 'channel health: day', path: '/api/data/channels', query: { start_timestamp: now - day } })
  calls.push({ name: 'channel health: week', path: '/api/data/channels', query: { start_timestamp: now - 7 * day } })
  return calls
}

function exportCalls(now: number): Call[] {
  const names = ['nothing', 'user, heavy', 'user, light', 'type error', 'model', 'channel and model', 'token and group']
  return names.flatMap((name): Call[] => {
    const file = { path: '/api/log/export', isFile: true } as const
    return [
      { ...file, name: `export: ${name}, all`, query: filters[name] ?? {} },
      { ...file, name: `export: ${name}, a day long ago`, query: { ...filters[name], end_timestamp: now - 60 * day } },
    ]
  })
}

const auditFilters: Record<string, Query> = {
  nothing: {},
  'user, busy': { username: 'user3' },
  'user, quiet': { username: 'user5000' },
  'user, none': { username: 'missing-user' },
  'action, frequent': { action: 'session.begin' },
  'action, rare': { action: 'channel.update' },
  'action, none': { action: 'message.send' },
  area: { action: 'token' },
  target: { target: 'user' },
  'one target': { target: 'channel', target_id: 42 },
  'target id': { target_id: 42 },
  refused: { outcome: 'refused' },
  done: { outcome: 'ok' },
  'one code': { outcome: 'auth.forbidden' },
  'address, of some': { ip: '10.7.3.7' },
  'address, none': { ip: '192.0.2.1' },
  'request id': { request_id: 'act500000' },
  'action and code': { action: 'session.begin', outcome: 'login.failed' },
  'action and rare code': { action: 'session.begin', outcome: 'auth.forbidden' },
  'busy user and action': { username: 'user3', action: 'user' },
  'quiet user and frequent action': { username: 'user5000', action: 'session.begin' },
  'target and refused': { target: 'user', outcome: 'refused' },
  'address and code': { ip: '10.7.3.7', outcome: 'login.failed' },
  'target id and code': { target_id: 42, outcome: 'login.failed' },
  'action and its target': { action: 'session.begin', target: 'session' },
  'action and another target': { action: 'session.begin', target: 'option' },
  'address and action': { ip: '10.7.3.7', action: 'session' },
}

function auditCalls(now: number): Call[] {
  const calls: Call[] = []
  for (const as of [undefined, 'auditor'] as const) {
    const caller = as ? 'an administrator' : 'root'
    for (const [span, range] of Object.entries(spans(now))) {
      if (span === 'hour') continue
      for (const [filter, required] of Object.entries(auditFilters)) {
        const query = { ...required, ...range, page_size: 20 }
        calls.push({ name: `audit: ${filter}, ${span}, by ${caller}`, path: '/api/audit', query, ...(as && { as }) })
      }
    }
    for (const p of [2, 100]) {
      const query = { p, page_size: 100 }
      calls.push({ name: `audit: page ${p}, by ${caller}`, path: '/api/audit', query, ...(as && { as }) })
    }
    for (const name of ['nothing', 'refused', 'area', 'user, busy']) {
      const file = { path: '/api/audit/export', isFile: true, query: auditFilters[name] ?? {} } as const
      calls.push({ name: `audit, file: ${name}, by ${caller}`, ...file, ...(as && { as }) })
    }
  }
  return calls
}

const userCalls: readonly Call[] = ([undefined, 'auditor'] as const).flatMap((as) => {
  const caller = as ? ', by an administrator' : ', by root'
  return [
    ...pages(`users${caller}`, '/api/user', [1, 500, 1000], {}, as),
    ...pages(`users named${caller}`, '/api/user/search', [1, 5], { keyword: 'user99' }, as),
    ...pages(`users, most${caller}`, '/api/user/search', [1, 900], { keyword: 'user' }, as),
    ...pages(`users, by id${caller}`, '/api/user/search', [1], { keyword: '50000' }, as),
    ...pages(`users of a group${caller}`, '/api/user/search', [1, 90], { group: 'vip' }, as),
    ...pages(`users of a group named${caller}`, '/api/user/search', [1], { group: 'vip', keyword: '99' }, as),
    ...pages(`users, none${caller}`, '/api/user/search', [1], { keyword: 'no-such-user' }, as),
  ]
})

const listCalls: readonly Call[] = [
  ...pages('channels', '/api/channel', [1, 10, 20]),
  ...pages('channels by id', '/api/channel', [1, 20], { id_sort: 'true' }),
  ...pages('channels by tag', '/api/channel', [1, 15], { tag_mode: 'true' }),
  ...pages('own tokens', '/api/token', [0, 1], {}, 'user'),
  ...pages('channels named', '/api/channel/search', [1], { keyword: 'channel 19' }),
  ...pages('channels of a model', '/api/channel/search', [1], { model: 'model-27' }),
  ...pages('channels of a tag', '/api/channel/search', [1], { tag: 'tag-4' }),
  ...pages('channels of a state', '/api/channel/search', [1], { status: 3 }),
  ...pages('channels of a group', '/api/channel/search', [1], { group: 'vip' }),
  ...pages('own tokens named', '/api/token/search', [0], { keyword: 'key' }, 'user'),
  { name: 'one channel', path: '/api/channel/1000' },
  { name: 'one user', path: '/api/user/50000' },
  { name: 'one log row', path: '/api/log/5000000' },
  { name: 'models of channels', path: '/api/channel/models' },
  { name: 'models in use', path: '/api/channel/models_enabled' },
  { name: 'who serves a model', path: '/api/channel/route', query: { model: 'model-27' } },
  { name: 'prices', path: '/api/pricing' },
  { name: 'groups', path: '/api/group' },
  { name: 'options', path: '/api/option' },
  { name: 'status', path: '/api/status' },
  { name: 'own account', path: '/api/user/self', as: 'user' },
  { name: 'own models', path: '/api/user/models', as: 'user' },
]

function pages(name: string, path: string, numbers: readonly number[], query: Query = {}, as?: Call['as']): Call[] {
  return numbers.map((p) => ({
    name: `${name}: page ${p}`,
    path,
    query: { ...query, p, page_size: 100 },
    ...(as && { as }),
  }))
}

/** Every list, filter, sum, chart, search and file of the console. */
export const allCalls = (now: number): Call[] => [
  ...listCalls,
  ...userCalls,
  ...auditCalls(now),
  ...taskCalls(now),
  ...logCalls(now),
  ...statCalls(now),
  ...dashboardCalls(now),
  ...exportCalls(now),
]
