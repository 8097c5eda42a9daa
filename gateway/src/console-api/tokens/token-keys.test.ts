import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { ApiError, accountRoutes, tokenRoutes, type Client, type TokenScope } from '@tollgate/contract'

import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { sha256 } from '../../platform/store/seal'
import { selfHandlers } from '../account/account'
import { tokenHandlers } from './tokens'

const password = 'correct horse'
const mask = /^\*{44}\w{4}$/

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('keys of API tokens (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let as: SignedIn
  let session: Client
  let key: string
  let id: number

  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, [...tokenHandlers, ...selfHandlers])
    as = await site.signIn((await anAccount(world.ctx, { password })).id)
    session = site.client(as)
    ;({ key, id } = await session.call(tokenRoutes.createToken, { body: { name: 'one' } }))
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => setOptionsIn(world.ctx, { HideTokenKeys: 'false' }))

  /** A client with an access token; null: it may do everything. */
  async function by(scopes: readonly TokenScope[] | null): Promise<Client> {
    const accessToken = crypto.randomUUID()
    const row = { user_id: as.userId, name: 'script', created_at: 1, expires_at: null }
    await world.ctx.database.query
      .insertInto('access_tokens')
      .values({ ...row, token_hash: sha256(accessToken), scopes: scopes && scopes.join(',') })
      .execute()
    return site.client(undefined, { accessToken })
  }

  const proofOf = async (client: Client, purpose: 'access_token' | 'token_key') =>
    (await client.call(accountRoutes.stepUp, { body: { purpose, password } })).proof

  /** Every call that returns tokens there are. */
  const readKeys = async (client: Client, stepUpProof?: string) => {
    const { items } = await client.call(tokenRoutes.listTokens, { query: { p: 0 }, stepUpProof })
    const found = await client.call(tokenRoutes.searchTokens, { query: { keyword: 'one' }, stepUpProof })
    const one = await client.call(tokenRoutes.getToken, { params: { id }, stepUpProof })
    const listed = 'items' in found ? found.items : found
    return [items.find((item) => item.id === id)?.key, listed[0]?.key, one.key]
  }
  const inFull = () => [key, key, key]
  const masked = [expect.stringMatching(mask), expect.stringMatching(mask), expect.stringMatching(mask)]

  once('a session reads keys in full, in lists, searches and one by one', async () => {
    expect(await readKeys(session)).toEqual(inFull())
  })

  test('an access token reads them masked, also one that may do everything, unless it has the scope for keys', async () => {
    expect(await readKeys(await by(null))).toEqual(masked)
    expect(await readKeys(await by(['self.read']))).toEqual(masked)
    expect(await readKeys(await by(['self.read', 'tokens.keys']))).toEqual(inFull())
  })

  once('a changed token is returned with its key masked where it is read masked', async () => {
    const body = { id, name: 'one' }
    expect((await session.call(tokenRoutes.updateToken, { body })).key).toBe(key)
    const client = await by(['tokens.write'])
    expect((await client.call(tokenRoutes.updateToken, { body })).key).toMatch(mask)
  })

  once('an act that a session named a key for is not repeated to an access token with its key in full', async () => {
    const act = { body: { id, name: 'one' }, idempotencyKey: 'an-act-of-a-session' }
    expect((await session.call(tokenRoutes.updateToken, act)).key).toBe(key)
    expect((await session.call(tokenRoutes.updateToken, act)).key).toBe(key)
    expect((await (await by(['tokens.write'])).call(tokenRoutes.updateToken, act)).key).toMatch(mask)
  })

  once('a search finds no part of a key that is not shown', async () => {
    const client = await by(['self.read'])
    const countFound = async (reader: Client, query: object) => {
      const result = await reader.call(tokenRoutes.searchTokens, { query })
      return 'items' in result ? result.items.length : result.length
    }
    const part = key.slice(3, 12)
    expect([await countFound(session, { token: part }), await countFound(session, { either: part })]).toEqual([1, 1])
    expect([await countFound(client, { token: part }), await countFound(client, { either: part })]).toEqual([0, 0])
    expect(await countFound(client, { token: key.slice(-4) })).toBe(1)
  })

  once(
    'a site that hides keys shows them after a proof of identity alone, to access tokens with the scope as well',
    async () => {
      await setOptionsIn(world.ctx, { HideTokenKeys: 'true' })
      expect(await readKeys(session)).toEqual(masked)
      expect(await readKeys(session, await proofOf(session, 'access_token'))).toEqual(masked)
      expect(await readKeys(session, await proofOf(session, 'token_key'))).toEqual(inFull())
      const client = await by(['self.read', 'tokens.keys'])
      expect(await readKeys(client)).toEqual(masked)
      expect(await readKeys(client, await proofOf(client, 'token_key'))).toEqual(inFull())
      const reveal = { params: { id } }
      expect(await outcomeOf(session.call(tokenRoutes.revealTokenKey, reveal))).toBe('auth.step_up')
      const stepUpProof = await proofOf(session, 'token_key')
      expect(await session.call(tokenRoutes.revealTokenKey, { ...reveal, stepUpProof })).toEqual({ key })
      expect((await session.call(tokenRoutes.createToken, { body: { name: 'new' } })).key).toMatch(/^\w{48}$/)
    },
  )

  test('an access token makes keys by its scope, or with the proof that creating access tokens asks for', async () => {
    const make = (client: Client, stepUpProof?: string) =>
      outcomeOf(client.call(tokenRoutes.createToken, { body: { name: 'made' }, stepUpProof }))
    const rotate = (client: Client, stepUpProof?: string) =>
      outcomeOf(client.call(tokenRoutes.rotateToken, { params: { id }, body: {}, stepUpProof }))
    const [narrow, scoped, everything] = [
      await by(['logs.read', 'self.read', 'self.write']),
      await by(['tokens.write']),
      await by(null),
    ]
    expect([await make(narrow), await rotate(narrow)]).toEqual(['auth.scope', 'auth.scope'])
    expect([await make(everything), await rotate(everything)]).toEqual(['auth.step_up', 'auth.step_up'])
    const proof = await proofOf(everything, 'access_token')
    expect([await make(everything, proof), await rotate(everything, proof)]).toEqual(['ok', 'ok'])
    expect([await make(scoped), await rotate(scoped), await make(session)]).toEqual(['ok', 'ok', 'ok'])
    key = (await session.call(tokenRoutes.getToken, { params: { id } })).key
  })
})
