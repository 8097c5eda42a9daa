import { optionKeys, type Method, type Route } from '@tollgate/contract'
import * as fc from 'fast-check'

import type { Handler } from '../../src/http/handler'
import { strict } from '../../src/http/request/strict'
import { hostileJson, oddTexts } from './hostile-json'
import { membersOf, valuesOf, type KnownValues } from './schema-values'

/** Who sends a call: accounts of the target, by name. */
export const senders = ['root', 'admin', 'user', 'guest'] as const
export type Sender = (typeof senders)[number]

/** A console call as a hostile client sends it. */
export interface ConsoleCall {
  readonly route: Route
  readonly method: Method
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly sender: Sender
}

/** What exists in the target's database, and some that does not. */
const known: KnownValues = {
  id: [1, 2, 3, 4, 999],
  ids: [[1], [1, 2, 3], [4, 4], []],
  user_id: [1, 2, 3, 4],
  channel: [1, 2],
  channel_id: [1, 2],
  token_id: [1, 2],
  type: [0, 1, 2, 14, 24],
  username: ['root', 'admin', 'user', 'new'],
  email: ['ann@example.test', ''],
  group: ['default', 'vip', 'auto'],
  groups: ['default', 'default,vip'],
  models: ['gpt-4o', 'gpt-4o,claude-sonnet-4-5'],
  model: ['gpt-4o', 'gpt-%'],
  model_name: ['gpt-4o', 'gpt-%'],
  key: ['sk-1\nsk-2', 'code', ...optionKeys],
  value: ['true', 'false', '5', '{}', '[]', '{"default":1}', '{"gpt-4o":2}', 'a text'],
  base_url: ['', 'http://127.0.0.1:9'],
  setting: ['{}', '{"proxy":"http://127.0.0.1:9"}'],
  sort: ['id', 'quota', 'created_at'],
  expired_time: [-1, 2_000_000_000],
  action: ['disable', 'enable', 'delete', 'promote', 'demote', 'add_quota'],
  month: ['2026-02', '0001-12', '9999-12'],
  start_date: ['2026-03-01', '0001-01-01', '9999-12-31'],
  end_date: ['2026-03-02', '9999-12-31', '2026-03-02T00:00:00Z'],
  p: [0, 1, 2, 99],
  page_size: [0, 10, 100],
}

/** How often an administrator of all things calls, who gets furthest. */
const sender: fc.Arbitrary<Sender> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Sender>('root') },
  { weight: 4, arbitrary: fc.constantFrom(...senders) },
)

/** A text that a header can hold. */
const oddHeader = fc
  .constantFrom(...oddTexts, 'x'.repeat(4000))
  .map((text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').trim())

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'Accept-Language',
          'Content-Type',
          'Content-Encoding',
          'Cookie',
          'Tollgate-User',
          'Tollgate-View-As',
          'Tollgate-Step-Up',
          'Idempotency-Key',
          'Authorization',
          'X-Forwarded-For',
          'Forwarded',
          'Origin',
          'Range',
          'If-None-Match',
          'User-Agent',
          'Content-Length',
        ),
        oddHeader,
      )
      .map(([name, value]) => ({ [name]: value })),
  },
)

const oddQueries = ['%', '%ff', 'a[]=1&a[]=2', '&&&==', 'p=1&p=2&p=x', '?', '%00=%00', `q=${'y'.repeat(6000)}`]

const wellFormed = (value: unknown): string => String(value).toWellFormed()

/** Fully escaped, or as it stands. */
const oddPart = fc.tuple(fc.constantFrom(...oddTexts), fc.boolean()).map(([text, isEscaped]) => {
  const escaped = encodeURIComponent(text.toWellFormed())
  return (isEscaped ? escaped : text.toWellFormed().replace(/[?#]/g, '')) || '%20'
})

function pathsOf({ path, params }: Route): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return fc.constant(path)
  const values = params ? membersOf(params, known) : {}
  const parts = names.map((name) => {
    const plain = (values[name] ?? fc.constant('1')).map((value) => encodeURIComponent(wellFormed(value)) || '1')
    return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: oddPart })
  })
  return fc
    .tuple(...parts)
    .map((chosen) => names.reduce((all, name, index) => all.replace(`{${name}}`, () => chosen[index] ?? ''), path))
}

function queriesOf({ query }: Route): fc.Arbitrary<string> {
  const odd = fc.constantFrom(...oddQueries)
  if (!query) return fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: odd })
  const members = membersOf(query, known)
  const values = fc.record(
    Object.fromEntries(
      Object.entries(members).map(([name, plain]) => [
        name,
        fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: fc.constantFrom<unknown>(...oddTexts) }),
      ]),
    ),
    { requiredKeys: [] },
  )
  const plain = values.map((chosen) => {
    const pairs = Object.entries(chosen).map(([name, value]): [string, string] => [name, wellFormed(value)])
    return new URLSearchParams(pairs).toString()
  })
  return fc.oneof({ weight: 12, arbitrary: plain }, { weight: 1, arbitrary: odd })
}

function callsOf({ route }: Handler): fc.Arbitrary<ConsoleCall> {
  const { method, body } = route
  const bodies = body ? hostileJson(valuesOf(strict(body), known)) : fc.constant(undefined)
  return fc
    .record({ path: pathsOf(route), query: queriesOf(route), headers, body: bodies, sender })
    .map(({ path, query, ...rest }) => ({
      route,
      method,
      path: query === '' ? path : `${path}?${query}`,
      ...rest,
    }))
}

/** Calls of these handlers, each as often as any other. */
export const consoleCalls = (handlers: readonly Handler[]): fc.Arbitrary<ConsoleCall> =>
  fc.oneof(...handlers.map(callsOf))
