import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { tokenStatus, userStatus } from '@tollgate/contract'

import { kinds, onceOf } from '../../../test/kinds'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import type { Topic } from '../../platform/store/changes'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

describe.each(kinds)('calls in flight (%s)', (kind) => {
  const once = onceOf(kind)

  let world: RelayWorld
  beforeAll(async () => {
    world = await createRelayWorld({ kind })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.simulator.reset())

  interface Paying {
    readonly userId: number
    readonly tokenId: number
    readonly key: string
  }

  async function aPayer(): Promise<Paying> {
    const userId = await world.addUser(1_000_000)
    const key = await world.addToken(userId)
    const { id: tokenId } = await world.ctx.database.query
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return { userId, tokenId, key }
  }

  async function change(topic: Topic, refId: number, values: { status?: number; deleted_at?: number; group?: string }) {
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      const table = topic === 'user' ? 'users' : 'tokens'
      await transaction.updateTable(table).set(values).where('id', '=', refId).execute()
      await world.ctx.changes.announce({ topic, refId }, transaction)
    })
    await world.ctx.changes.deliver()
  }

  /** A stream whose first words were read, and which then pauses until it is released. */
  async function aStream(key: string) {
    const gate = Promise.withResolvers<void>()
    world.simulator.next({ tokens: 20, gate: (frame) => (frame === 5 ? gate.promise : undefined) })
    const response = await world.chat({ stream: true }, { key })
    const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    let text = ''
    const read = async (isEnough: () => boolean) => {
      while (!isEnough()) {
        const { done = true, value = '' } = (await chunks?.next()) ?? {}
        if (done) return text
        text += value
      }
      return text
    }
    await read(() => text.split('"content"').length > 3)
    return { text: () => read(() => false), goOn: () => gate.resolve() }
  }

  once.each<[string, Topic, { status?: number; deleted_at?: number }]>([
    ['a user who is banned', 'user', { status: userStatus.disabled }],
    ['a user who is deleted', 'user', { deleted_at: 1 }],
    ['a key that is disabled', 'token', { status: tokenStatus.disabled }],
    ['a key that is deleted', 'token', { deleted_at: 1 }],
  ])('a stream of %s ends at once, and what came is charged', async (_what, topic, values) => {
    const payer = await aPayer()
    const stream = await aStream(payer.key)
    await change(topic, topic === 'user' ? payer.userId : payer.tokenId, values)
    const text = await stream.text()
    expect(text).toContain('"caller.revoked"')
    expect(text).not.toContain('[DONE]')
    // The client is told before the call is charged.
    const [row] = await world.chargesOf(payer.userId, 1)
    expect(row).toMatchObject({ type: 2, token_id: payer.tokenId })
    expect(row?.quota).toBeGreaterThan(0)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ ending: 'revoked' })
    expect(await world.simulator.requests[0]?.ended).toBe('aborted')
  })

  test('calls of others go on, and so do those whose change revokes nothing', async () => {
    const [banned, neighbour] = [await aPayer(), await aPayer()]
    const stream = await aStream(neighbour.key)
    await change('user', banned.userId, { status: userStatus.disabled })
    await change('user', neighbour.userId, { group: 'vip' })
    await change('token', neighbour.tokenId, { status: tokenStatus.exhausted })
    stream.goOn()
    expect(await stream.text()).toEndWith('data: [DONE]\n\n')
  })

  /** An answer whose client is gone before it comes. Resolves with what it was charged. */
  async function chargedWhenGone(how: 'leaves' | 'is revoked', stream: boolean): Promise<number | undefined> {
    const payer = await aPayer()
    const [called, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    using upstream = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch() {
        called.resolve()
        await finished.promise
        const usage = { prompt_tokens: 50_000, completion_tokens: 5000, total_tokens: 55_000 }
        const message = { role: 'assistant', content: 'done' }
        const choice = { index: 0, [stream ? 'delta' : 'message']: message, finish_reason: 'stop' }
        const body = { id: 'x', choices: [choice], usage }
        if (!stream) return Response.json(body)
        const headers = { 'content-type': 'text/event-stream' }
        return new Response(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`, { headers })
      },
    })
    const id = await world.addChannel({
      base_url: String(upstream.url).replace(/\/$/, ''),
      models: 'gpt-4.1',
      setting: '{"on_disconnect":"drain"}',
    })
    const client = new AbortController()
    const pendingResponse = world
      .chat({ model: 'gpt-4.1', stream }, { key: payer.key, signal: client.signal })
      .catch(() => null)
    await called.promise
    if (how === 'leaves') client.abort()
    else await change('token', payer.tokenId, { status: tokenStatus.disabled })
    expect((await pendingResponse)?.status).toBe(how === 'leaves' ? undefined : 403)
    finished.resolve()
    const [row] = await world.chargesOf(payer.userId, 1)
    await world.changeChannel(id, { status: 2 })
    return row?.quota
  }

  once.each([false, true])(
    'one that waits for an answer is refused at once, and pays for it as one that leaves does (stream: %p)',
    async (stream) => {
      const left = await chargedWhenGone('leaves', stream)
      expect(left).toBeGreaterThan(0)
      expect(await chargedWhenGone('is revoked', stream)).toBe(left)
    },
  )

  once('calls whose response has not begun are refused', async () => {
    const payer = await aPayer()
    const gate = Promise.withResolvers<void>()
    world.simulator.next({ gate: () => gate.promise })
    const pendingResponse = world.chat({}, { key: payer.key })
    await world.simulator.arrival(1)
    await change('user', payer.userId, { status: userStatus.disabled })
    const { status } = await pendingResponse
    gate.resolve()
    expect(status).toBe(403)
  })
})
