import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import {
  type Access,
  areaPresets,
  givableGrants,
  type Grant,
  grants,
  isOwnScope,
  ownScopes,
  presetOf,
  role,
  type Route,
  userStatus,
} from '@tollgate/contract'

import { anAccount, createTestConsole, type Sent, type SignedIn, type TestConsole } from '../../test/console-client'
import { setOptionsIn } from '../../test/options'
import { createWorld, type World } from '../../test/world'
import { handlers } from '../../test/all-handlers'
import { endSessions } from '../accounts/sessions/sessions'
import { sha256 } from '../platform/store/seal'
import { guard } from './guard'
import type { Handler } from './handler'
import { isWriteRoute } from './route-table'

/** Every route with its guard, but without its handler: the response says who got through. */
const guardedRoutes: readonly Handler[] = handlers.map(({ route }) => guardRoute(route))

function guardRoute({ method, path, access, scope, summary }: Route): Handler {
  return {
    route: { method, path, access, scope, summary },
    handle: (_input, { caller }) => Promise.resolve(String(caller?.userId ?? 'guest')),
  }
}

const forAnyone = guardRoute({ method: 'GET', path: '/api/for-anyone', access: 'optional', summary: '' })

const strangers = ['guest', 'bad cookie', 'no header', 'wrong header', 'junk header'] as const
type Stranger = (typeof strangers)[number]

interface Person {
  readonly role: number
  /** Undefined: only the role decides what the person may do. */
  readonly assignedGrants?: readonly Grant[]
  readonly held: readonly Grant[]
}

/** Each preset, and each grant alone. */
const persons: Readonly<Record<string, Person>> = {
  user: { role: role.user, held: [] },
  admin: { role: role.admin, held: givableGrants },
  root: { role: role.root, held: grants },
  'admin without grants': { role: role.admin, assignedGrants: [], held: [] },
  'root said to have none': { role: role.root, assignedGrants: [], held: grants },
  ...Object.fromEntries(
    Object.entries(areaPresets).map(([area, held]) => [area, { role: role.user, assignedGrants: held, held }]),
  ),
  ...Object.fromEntries(
    grants.map((grant) => [
      grant,
      { role: role.user, assignedGrants: [grant], held: givableGrants.includes(grant) ? [grant] : [] },
    ]),
  ),
}
type CallerKind = string
const callers: readonly CallerKind[] = [...strangers, ...Object.keys(persons)]

let world: World
let site: TestConsole
const people = new Map<CallerKind, SignedIn>()

beforeAll(async () => {
  world = await createWorld()
  // Each person calls every route.
  await setOptionsIn(world.ctx, { ConsoleUserCalls: '1000000' })
  site = createTestConsole(world.ctx, [...guardedRoutes, forAnyone], { mustCheckResponses: false })
  for (const [callerKind, { role: ofRole, assignedGrants }] of Object.entries(persons)) {
    const { id } = await anAccount(world.ctx, { role: ofRole })
    if (assignedGrants) await give(id, assignedGrants)
    people.set(callerKind, await site.signIn(id))
  }
})
afterAll(() => world[Symbol.asyncDispose]())

/** Directly into the database, as a call would not leave a grant without those it needs. */
const give = (id: number, assignedGrants: readonly string[] | null) =>
  world.ctx.database.query
    .updateTable('users')
    .set({ grants: assignedGrants && assignedGrants.join(',') })
    .where('id', '=', id)
    .execute()

function person(callerKind: CallerKind): SignedIn {
  const found = people.get(callerKind)
  if (!found) throw new Error(`${callerKind} is not signed in`)
  return found
}

function sentBy(callerKind: CallerKind): Sent {
  const root = person('root')
  switch (callerKind) {
    case 'guest':
      return {}
    case 'bad cookie':
      return { as: { ...root, cookie: 'session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }
    case 'no header':
      return { headers: { cookie: root.cookie } }
    case 'wrong header':
      return { as: { ...root, userId: person('user').userId } }
    case 'junk header':
      return { as: root, headers: { 'Tollgate-User': '1; drop table' } }
    default:
      return { as: person(callerKind) }
  }
}

const failures: Record<Stranger, readonly [number, string]> = {
  guest: [401, 'auth.required'],
  'bad cookie': [401, 'auth.required'],
  'no header': [401, 'auth.header_missing'],
  'wrong header': [401, 'auth.header_mismatch'],
  'junk header': [401, 'auth.header_invalid'],
}
const isStranger = (callerKind: CallerKind): callerKind is Stranger =>
  strangers.some((stranger) => stranger === callerKind)

/** What the guard should respond, derived independently. */
function expectedOutcome(access: Access, callerKind: CallerKind): readonly [number, string] {
  if (access === 'guest' || access === 'optional') return [200, 'through']
  if (isStranger(callerKind)) return failures[callerKind]
  const requiredGrants: readonly string[] = typeof access === 'string' ? [access] : access
  const isOwn = access === 'user' || requiredGrants.some(isOwnScope)
  const isAllowed = isOwn || requiredGrants.some((grant) => persons[callerKind]?.held.some((held) => held === grant))
  return isAllowed ? [200, 'through'] : [403, 'auth.forbidden']
}

async function outcome(path: string, method: string, sent: Sent): Promise<readonly [number, unknown]> {
  const response = await site.send(method, path, sent)
  const body = (await response.json()) as Record<string, unknown>
  return [response.status, body['success'] ? 'through' : body['code']]
}

test('a caller is identified before it is decided whether they are admitted', async () => {
  const identifiedFor = async (access: Access, callerKind: CallerKind, header = String(person(callerKind).userId)) => {
    const { cookie } = person(callerKind)
    const request = new Request('https://gate.example/', { headers: { cookie, 'Tollgate-User': header } })
    const identified: number[] = []
    await guard(world.ctx, access, request, async ({ userId }) => void identified.push(userId)).catch(() => null)
    return identified
  }
  const { userId } = person('user')
  expect(await identifiedFor('user', 'user')).toEqual([userId])
  expect(await identifiedFor('optional', 'user')).toEqual([userId])
  expect(await identifiedFor('channels.read', 'user')).toEqual([userId])
  expect(await identifiedFor('user', 'user', '999')).toEqual([userId])
  expect(await identifiedFor('guest', 'user')).toEqual([])
})

const requestOf = (callerKind: CallerKind) =>
  new Request('https://gate.example/', {
    headers: { cookie: person(callerKind).cookie, 'Tollgate-User': String(person(callerKind).userId) },
  })

test.each<Access>(['optional', 'user'])(
  'a caller who is refused once identified is not admitted to %s',
  async (access) => {
    const refuse = async () => Promise.reject(new Error('too many calls'))
    expect(guard(world.ctx, access, requestOf('user'), refuse)).rejects.toThrow('too many calls')
  },
)

test('a session whose user still needs a second factor reaches what is open without one, and nothing else; access tokens are not affected', async () => {
  const admit = async (isOpen: boolean) => {
    const caller = await guard(world.ctx, 'user', requestOf('user'), async () => {}, isOpen)
    return caller?.userId
  }
  const admitToken = async () => {
    const row = { token_hash: sha256('a token'), name: 'a', scopes: null, created_at: 1, expires_at: null }
    await world.ctx.database.query
      .insertInto('access_tokens')
      .values({ ...row, user_id: person('user').userId })
      .execute()
    const request = new Request('https://gate.example/', { headers: { authorization: 'a token' } })
    const caller = await guard(world.ctx, 'user', request, async () => {})
    return caller?.userId
  }
  await setOptionsIn(world.ctx, { SecondFactorRequired: 'everyone' })
  try {
    expect(await admit(true)).toBe(person('user').userId)
    expect(admit(false)).rejects.toMatchObject({ code: 'auth.factor_needed' })
    expect(await admitToken()).toBe(person('user').userId)
  } finally {
    await setOptionsIn(world.ctx, { SecondFactorRequired: 'nobody' })
  }
})

describe('every route', () => {
  /** The guard knows a route by its access and scope alone: every kind of caller tries one route of each, a few try all routes. */
  const keyOf = ({ route: { access, scope } }: Handler) => `${String(access)} ${scope}`
  const examples = guardedRoutes.filter(
    (handler, at) => guardedRoutes.findIndex((other) => keyOf(other) === keyOf(handler)) === at,
  )
  const few: readonly CallerKind[] = ['guest', 'wrong header', 'user', 'admin without grants', 'root']
  const cases = guardedRoutes.map((handler) => {
    const { method, path, access } = handler.route
    return [method, path, access, examples.includes(handler) ? callers : few] as const
  })

  test.each(cases)('%s %s is guarded for every kind of caller (for %p)', async (method, path, access, tried) => {
    const address = path.replace(/\{\w+\}/g, '1')
    const outcomes = await Promise.all(
      tried.map(async (callerKind) => [callerKind, ...(await outcome(address, method, sentBy(callerKind)))] as const),
    )
    expect(outcomes).toEqual(tried.map((callerKind) => [callerKind, ...expectedOutcome(access, callerKind)] as const))
  })

  const scopeSets: readonly (readonly [string, string | null])[] = [
    ...ownScopes.map((scope) => [scope, scope] as const),
    ['logs.read', 'logs.read'],
    ['none', ''],
    ['all', null],
  ]

  test.each(scopeSets)('an access token with the scope %s reaches what that allows', async (name, scopes) => {
    const token = `token-${name}`
    const { userId } = person('root')
    await world.ctx.database.query
      .insertInto('access_tokens')
      .values({ user_id: userId, token_hash: sha256(token), name, scopes, created_at: 1, expires_at: null })
      .execute()
    const isAllowed = (access: Access) => scopes === null || [access].flat().some((grant) => grant === scopes)
    for (const { route } of examples) {
      const { access, scope } = route
      const isOpen = access === 'guest' || access === 'optional' || access === 'user' || isAllowed(access)
      const isOwn = typeof access === 'string' && isOwnScope(access)
      const response = await site.send(route.method, route.path.replace(/\{\w+\}/g, '1'), {
        headers: { authorization: token },
      })
      const body = (await response.json()) as Record<string, unknown>
      const isKnown = access !== 'optional' || scope == null || isAllowed(scope)
      const caller = access === 'guest' || !isKnown ? 'guest' : String(userId)
      const refused = isOwn ? 'auth.scope' : 'auth.forbidden'
      expect([route.method, route.path, body['code'], body['data']]).toEqual([
        route.method,
        route.path,
        isOpen ? undefined : refused,
        isOpen ? caller : undefined,
      ])
    }
  })

  test('every route of the caller’s own things names the scope that an access token needs', () => {
    const plain = handlers.filter(({ route }) => route.access === 'user').map(({ route }) => route.path)
    // They change nothing, and ask for the password.
    expect(plain.toSorted()).toEqual(['/api/user/step_up', '/api/user/step_up/passkey'])
    const unnamed = handlers.filter(({ route }) => route.access === 'optional' && route.scope === undefined)
    expect(unnamed.map(({ route }) => route.path)).toEqual([])
  })

  test('what makes, shows or deletes API keys is not open to the scopes of the account', () => {
    const ofTokens = handlers.filter(({ route }) => route.path.startsWith('/api/token') && isWriteRoute(route))
    const accessesOf = (isOfAll: boolean) =>
      new Set(
        ofTokens
          .filter(({ route }) => route.path.startsWith('/api/token/all') === isOfAll)
          .map(({ route }) => route.access),
      )
    expect(accessesOf(false)).toEqual(new Set(['tokens.write']))
    // Tokens of all users need a grant.
    expect(accessesOf(true)).toEqual(new Set(['users.write']))
  })

  const requiredGrantsOf = ({ access }: Pick<Route, 'access'>): readonly string[] =>
    typeof access === 'string' ? [access] : access

  test('a route that changes something beyond the caller’s own requires more than reading', () => {
    const tooOpen = handlers.filter(
      ({ route }) => isWriteRoute(route) && requiredGrantsOf(route).some((grant) => grant.endsWith('.read')),
    )
    expect(tooOpen.map(({ route }) => route.path)).toEqual([])
  })

  test('a route that reads is open to the preset that reads everything except secrets and conversations', () => {
    const reads = handlers.filter(
      ({ route }) => !isWriteRoute(route) && route.audit === undefined && route.access !== 'guest',
    )
    const isOpen = (grant: string) =>
      !grant.includes('.') || isOwnScope(grant) || areaPresets.read_only.some((held) => held === grant)
    const closed = reads.filter(({ route }) => !requiredGrantsOf(route).some(isOpen))
    expect(closed.map(({ route }) => route.path)).toEqual([])
  })

  test('a route that appoints or gives rights is the super admin’s only', () => {
    const rightsRoutes = handlers.filter(({ route }) => requiredGrantsOf(route).includes('rights.write'))
    expect(rightsRoutes.map(({ route }) => `${route.method} ${route.path}`)).toEqual(['PUT /api/user/{id}/grants'])
    expect(presetOf(role.admin)).not.toContain('rights.write')
    expect(presetOf(role.admin)).not.toContain('settings.secure')
  })

  test('routes of the account, the channels and the options are not open to guests', () => {
    const open = guardedRoutes
      .filter(({ route }) => route.access === 'guest')
      .map(({ route }) => `${route.method} ${route.path}`)
    expect(open.toSorted()).toEqual([
      'GET /api/about',
      'GET /api/home_page_content',
      'GET /api/notice',
      'GET /api/oauth/telegram/login',
      'GET /api/oauth/wechat',
      'GET /api/reset_password',
      'GET /api/setup',
      'GET /api/status',
      'GET /api/status/figures',
      'GET /api/user/epay/notify',
      'GET /api/user/epay/return',
      'GET /api/user/groups',
      'GET /api/user/logout',
      'POST /api/setup',
      'POST /api/stripe/webhook',
      'POST /api/user/epay/notify',
      'POST /api/user/epay/return',
      'POST /api/user/login',
      'POST /api/user/login/factor',
      'POST /api/user/login/passkey',
      'POST /api/user/login/passkey/begin',
      'POST /api/user/logout',
      'POST /api/user/register',
      'POST /api/user/reset',
    ])
  })
})

describe('a caller', () => {
  const self = '/api/user/self'
  const withToken = async (headers: Record<string, string>) => outcome(self, 'GET', { headers })

  async function someoneWithToken(token: string, seed: { role?: number } = {}) {
    const someone = await anAccount(world.ctx, seed)
    await change(someone.id, { access_token_hash: sha256(token) })
    return someone
  }
  const change = (
    id: number,
    columns: { access_token_hash?: string; status?: number; role?: number; deleted_at?: number },
  ) => world.ctx.database.query.updateTable('users').set(columns).where('id', '=', id).execute()

  test.each(['New-Api-User', 'Veloera-User', 'tollgate-user'])('a caller may use the header %s', async (name) => {
    const user = person('user')
    expect(await withToken({ cookie: user.cookie, [name]: String(user.userId) })).toEqual([200, 'through'])
  })

  test('a caller with an access token needs no header, but a header must match', async () => {
    const { id } = await someoneWithToken('token-1')
    expect(await withToken({ authorization: 'token-1' })).toEqual([200, 'through'])
    expect(await withToken({ authorization: 'Bearer token-1' })).toEqual([200, 'through'])
    expect(await withToken({ authorization: 'bearer  token-1', 'Tollgate-User': String(id) })).toEqual([200, 'through'])
    expect(await withToken({ authorization: 'token-1', 'Tollgate-User': String(id + 1) })).toEqual([
      401,
      'auth.header_mismatch',
    ])
    expect(await withToken({ authorization: 'token-2' })).toEqual([200, 'auth.token_invalid'])
    expect(await withToken({ authorization: sha256('token-1') })).toEqual([200, 'auth.token_invalid'])
  })

  test('the user of the cookie is the caller even when there is a token', async () => {
    await someoneWithToken('token-3', { role: role.root })
    const user = person('user')
    const headers = { authorization: 'token-3' }
    expect(await outcome('/api/option', 'GET', { as: user, headers })).toEqual([403, 'auth.forbidden'])
  })

  test('a caller who is banned, deregistered or of no known role is told so', async () => {
    const { id } = await someoneWithToken('token-4')
    await change(id, { status: userStatus.disabled })
    expect(await withToken({ authorization: 'token-4' })).toEqual([200, 'user.banned'])
    await change(id, { status: userStatus.enabled, role: 50 })
    expect(await withToken({ authorization: 'token-4' })).toEqual([200, 'auth.user_invalid'])
    await change(id, { role: role.user, deleted_at: 1 })
    expect(await withToken({ authorization: 'token-4' })).toEqual([200, 'user.deregistered'])
  })

  test('a caller is recognized, or a guest, where guests are welcome', async () => {
    const { id } = await someoneWithToken('token-6')
    const greet = async (sent: Sent) => {
      const body = (await (await site.send('GET', '/api/for-anyone', sent)).json()) as { data: string }
      return body.data
    }
    const user = person('user')
    expect(await greet({ headers: { cookie: user.cookie } })).toBe(String(user.userId))
    expect(await greet({ headers: { authorization: 'token-6' } })).toBe(String(id))
    expect(await greet({ headers: { authorization: 'sk-unknown', cookie: 'session=junk' } })).toBe('guest')
    await change(id, { status: userStatus.disabled })
    expect(await greet({ headers: { authorization: 'token-6' } })).toBe('guest')
  })

  test('a caller has the current role, not that of when the session began', async () => {
    const someone = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
    expect(await outcome('/api/user', 'GET', { as: someone })).toEqual([200, 'through'])
    await change(someone.userId, { role: role.user })
    expect(await outcome('/api/user', 'GET', { as: someone })).toEqual([403, 'auth.forbidden'])
  })

  test('a caller has the current grants, with a session or an access token that is older', async () => {
    const { id } = await someoneWithToken('token-7')
    const session = await site.signIn(id)
    const both = async (path: string) => [
      await outcome(path, 'GET', { as: session }),
      await outcome(path, 'GET', { headers: { authorization: 'token-7' } }),
    ]
    const refused = [403, 'auth.forbidden'] as const
    expect(await both('/api/channel')).toEqual([refused, refused])
    await give(id, ['channels.read'])
    const through = [200, 'through'] as const
    expect(await both('/api/channel')).toEqual([through, through])
    expect(await both('/api/log')).toEqual([refused, refused])
    await give(id, null)
    expect(await both('/api/channel')).toEqual([refused, refused])
  })

  test('a caller is signed out at once when the sessions end', async () => {
    const { id } = await someoneWithToken('token-5')
    const [first, second] = [await site.signIn(id), await site.signIn(id)]
    await world.ctx.database.query
      .transaction()
      .execute((transaction) => endSessions(id, transaction, sha256(second.cookie.split('__Host-session=')[1] ?? '')))
    expect(await outcome(self, 'GET', { as: first })).toEqual([401, 'auth.required'])
    expect(await outcome(self, 'GET', { as: second })).toEqual([200, 'through'])
    expect(await withToken({ authorization: 'token-5' })).toEqual([200, 'auth.token_invalid'])
  })
})
