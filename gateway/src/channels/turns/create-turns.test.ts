import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import * as fc from 'fast-check'
import { sql } from 'kysely'

import { eachDatabase, emptyDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { eventually } from '../../../test/eventually'
import { faultyDatabase, type NextFault } from '../../../test/faulty-database'
import { noRests } from '../../../test/pace'
import { createWorld, type World } from '../../../test/world'
import { pruneTurns } from '../../app/jobs/prune'
import { migrate } from '../../platform/store/migrate'
import { sha256 } from '../../platform/store/seal'
import type { ObjectOwner } from '../vendor-objects/vendor-objects'
import { conversationItems, createConversation, findConversation, removeConversation } from './conversations'
import { createTurns } from './create-turns'
import { removeTurnsOf } from './turn-rows'
import type { NewTurn, Thread, TurnLimits, Turns } from './turns'

const day = 86_400
const origin = { channelId: 1, keyFingerprint: 'f', dialect: 'openai-chat' } as const
const ann = { userId: 1, tokenId: null }

const aTurn = (id: string, previousId: string | null = null, text = id): NewTurn => ({
  id,
  previousId,
  origin,
  input: [{ role: 'user', content: text }],
  response: { id, output: [{ id: `msg_${id}`, type: 'message', role: 'assistant', content: text }] },
  userId: ann.userId,
  tokenId: 7,
})

const idsOf = (thread: Thread): readonly string[] | string =>
  thread.kind === 'whole' ? thread.turns.map(({ id }) => id) : thread.kind

describe.each(eachDatabase)('stored turns (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let now = 1_900_000_000
  let limits: TurnLimits
  beforeAll(async () => {
    world = await createWorld({ kind })
  }, 120_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    limits = { ttlSeconds: 24 * day, maxTurnBytes: 1e6, maxUserBytes: 1e9 }
    await removeTurnsOf(ann.userId, world.ctx.database.query)
    await removeTurnsOf(2, world.ctx.database.query)
  })

  const deps = () => ({
    ...world.ctx,
    clock: { ...world.ctx.clock, seconds: () => now, monotonic: () => 0, now: () => now * 1000 },
  })
  const aStore = () => createTurns({ ...deps(), limits: () => limits })
  async function writeTurns(turns: readonly NewTurn[]) {
    const store = aStore()
    for (const turn of turns) store.add(turn)
    await store.close()
  }
  const itemRows = () => world.ctx.database.query.selectFrom('response_turn_items').selectAll().execute()
  const rows = () => world.ctx.database.query.selectFrom('response_turns').selectAll().execute()

  once('a turn is found at once by the worker that served it, and by others once it is written', async () => {
    const store = aStore()
    store.add(aTurn('resp_a'))
    store.add(aTurn('resp_b', 'resp_a'))
    expect((await store.find(ann, 'resp_a'))?.input).toEqual([{ role: 'user', content: 'resp_a' }])
    expect(idsOf(await store.threadTo(ann, 'resp_b', 1e6))).toEqual(['resp_a', 'resp_b'])
    await store.close()
    const other = aStore()
    expect(await other.find(ann, 'resp_b')).toEqual(await store.find(ann, 'resp_b'))
    expect(idsOf(await other.threadTo(ann, 'resp_b', 1e6))).toEqual(['resp_a', 'resp_b'])
    await other.close()
  })

  once('turns that wait go on from turns that are written', async () => {
    await writeTurns([aTurn('resp_a'), aTurn('resp_b', 'resp_a')])
    const store = aStore()
    store.add(aTurn('resp_c', 'resp_b'))
    expect(idsOf(await store.threadTo(ann, 'resp_c', 1e6))).toEqual(['resp_a', 'resp_b', 'resp_c'])
    await store.close()
  })

  test('whatever goes on from whatever, each turn is read with exactly the turns before it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), fc.nat(12), async (parents, written) => {
        await removeTurnsOf(ann.userId, world.ctx.database.query)
        const turns = parents.map((parent, index) =>
          aTurn(`resp_${index}`, index === 0 || parent % (index + 1) === index ? null : `resp_${parent % (index + 1)}`),
        )
        await writeTurns(turns.slice(0, written))
        const store = aStore()
        for (const turn of turns.slice(written)) store.add(turn)
        for (const turn of turns) {
          const expected: string[] = []
          for (let one: NewTurn | undefined = turn; one; one = turns.find(({ id }) => id === one?.previousId))
            expected.unshift(one.id)
          expect(idsOf(await store.threadTo(ann, turn.id, 1e6))).toEqual(expected)
        }
        await store.close()
      }),
      { numRuns: 8 },
    )
  })

  once('a conversation of 500 turns takes as many bytes as its turns alone, and is read in one statement', async () => {
    const store = aStore()
    for (let turn = 0; turn < 500; turn += 1)
      store.add(aTurn(`resp_${turn}`, turn === 0 ? null : `resp_${turn - 1}`, 'x'.repeat(100)))
    await store.close()
    const bytes = (await rows()).reduce((sum, row) => sum + row.sealed.length, 0)
    expect(bytes).toBeWithin(500 * 400, 500 * 1000)
    const fresh = aStore()
    const thread = await fresh.threadTo(ann, 'resp_499', 1e6)
    expect(thread.kind === 'whole' && thread.turns.length).toBe(500)
    expect(idsOf(await fresh.threadTo(ann, 'resp_499', 20_000))).toBe('too-large')
    await fresh.close()
  })

  test('turns are of their user, and of their key where it is limited', async () => {
    await writeTurns([aTurn('resp_a'), { ...aTurn('resp_b', 'resp_a'), userId: 2 }])
    const store = aStore()
    const bens = { userId: 2, tokenId: null }
    expect(await store.find(bens, 'resp_a')).toBeNull()
    expect(idsOf(await store.threadTo(bens, 'resp_a', 1e6))).toBe('none')
    expect(idsOf(await store.threadTo(bens, 'resp_b', 1e6))).toBe('broken')
    expect(await store.find({ userId: 1, tokenId: 8 }, 'resp_a')).toBeNull()
    expect(idsOf(await store.threadTo({ userId: 1, tokenId: 8 }, 'resp_a', 1e6))).toBe('none')
    expect(await store.remove(bens, 'resp_a')).toBe(false)
    expect(await store.remove({ userId: 1, tokenId: 8 }, 'resp_a')).toBe(false)
    expect((await store.find({ userId: 1, tokenId: 7 }, 'resp_a'))?.id).toBe('resp_a')
    await store.close()
  })

  describe('a turn that is deleted before it is written', () => {
    const isInsertion = (statement: string) => statement.startsWith('insert into "response_turns"')
    const aFaultyStore = (nextFault: NextFault) =>
      createTurns({ ...deps(), database: faultyDatabase(world.ctx.database, nextFault), limits: () => limits })

    once('stays deleted', async () => {
      const store = aStore()
      store.add(aTurn('resp_a'))
      expect(await store.remove(ann, 'resp_a')).toBe(true)
      expect(await store.find(ann, 'resp_a')).toBeNull()
      await store.close()
      expect(await rows()).toEqual([])
    })

    once('stays deleted where the database does not take it for long', async () => {
      let isAway = true
      const store = aFaultyStore((statement) => (isAway && isInsertion(statement) ? 'refused' : 'none'))
      store.add(aTurn('resp_a'))
      store.add(aTurn('resp_b'))
      expect(await store.remove(ann, 'resp_a')).toBe(true)
      isAway = false
      expect(await store.find(ann, 'resp_a')).toBeNull()
      await store.close()
      expect((await rows()).map(({ id_hash: hash }) => hash)).toEqual([sha256('resp_b')])
    })

    test('stays deleted where that fails while it is being written', async () => {
      const removals: Promise<string>[] = []
      let isRefused = false
      const store: Turns = aFaultyStore((statement) => {
        if (isInsertion(statement) && removals.length === 0)
          removals.push(
            store.remove(ann, 'resp_a').then(
              () => 'removed',
              () => 'failed',
            ),
          )
        else if (statement.startsWith('delete from "response_turns"') && !isRefused) {
          isRefused = true
          return 'refused'
        }
        return 'none'
      })
      store.add(aTurn('resp_a'))
      await eventually(async () => (removals.length > 0 && store.queued === 0) || null)
      expect(await Promise.all(removals)).toEqual(['failed'])
      expect(await rows()).toEqual([])
      await store.close()
    })
  })

  once('a circular thread ends the search', async () => {
    const store = aStore()
    for (const [id, previous] of ['ab', 'bc', 'ca']) store.add(aTurn(`resp_${id}`, `resp_${previous}`))
    expect(idsOf(await store.threadTo(ann, 'resp_a', Infinity))).toBe('too-large')
    await store.close()
    const fresh = aStore()
    expect(idsOf(await fresh.threadTo(ann, 'resp_a', Number.MAX_SAFE_INTEGER))).toBe('too-large')
    await fresh.close()
  })

  once('what builds on a deleted turn is readable and cannot be continued', async () => {
    await writeTurns([aTurn('resp_a'), aTurn('resp_b', 'resp_a'), aTurn('resp_c', 'resp_b')])
    const store = aStore()
    await store.remove(ann, 'resp_b')
    expect((await store.find(ann, 'resp_c'))?.id).toBe('resp_c')
    expect(idsOf(await store.threadTo(ann, 'resp_c', 1e6))).toBe('broken')
    expect(idsOf(await store.threadTo(ann, 'resp_b', 1e6))).toBe('none')
    expect(idsOf(await store.threadTo(ann, 'resp_a', 1e6))).toEqual(['resp_a'])
    await store.close()
  })

  once(
    'a thread in use does not expire, whichever worker adds to it, and one that is not used leaves nothing',
    async () => {
      const start = now
      await writeTurns([aTurn('resp_a'), aTurn('resp_x')])
      let previous = 'resp_a'
      for (let turn = 0; turn < 4; turn += 1) {
        now += 20 * day
        await writeTurns([aTurn(`resp_${turn}`, previous)])
        previous = `resp_${turn}`
      }
      const store = aStore()
      expect(idsOf(await store.threadTo(ann, previous, 1e6))).toHaveLength(5)
      expect(await store.find(ann, 'resp_x')).toBeNull()
      const prune = () => pruneTurns(deps(), () => noRests()).run(new AbortController().signal)
      await prune()
      expect([await rows(), await itemRows()].map(({ length }) => length)).toEqual([5, 5])
      now += 24 * day
      expect(await store.find(ann, previous)).toBeNull()
      await prune()
      expect([await rows(), await itemRows()]).toEqual([[], []])
      await store.close()
      now = start
    },
  )

  test('expired conversations leave nothing', async () => {
    const start = now
    const store = aStore()
    const conversation = await createConversation(deps(), { id: 'conv_a', userId: 1, tokenId: 7, metadata: {} }, day)
    await store.append(conversation, { origin: null, items: [{ id: 'msg_1', item: { role: 'user', content: 'hi' } }] })
    now += 24 * day - 1
    expect(await findConversation(deps(), ann, 'conv_a')).toMatchObject({ id: 'conv_a' })
    now += 2
    expect(await findConversation(deps(), ann, 'conv_a')).toBeNull()
    await pruneTurns(deps(), () => noRests()).run(new AbortController().signal)
    expect(await world.ctx.database.query.selectFrom('conversation_items').selectAll().execute()).toEqual([])
    expect(await store.append(conversation, { origin: null, items: [{ id: 'msg_2', item: {} }] })).toBe(false)
    expect(await conversationItems(deps(), conversation)).toEqual([])
    await store.close()
    now = start
  })

  test('items are found by their ids, of turns that wait and of written ones, and leave with them', async () => {
    await writeTurns([aTurn('resp_a'), { ...aTurn('resp_b'), userId: 2 }, aTurn('resp_c')])
    const store = aStore()
    store.add(aTurn('resp_d'))
    const ids = ['a', 'b', 'c', 'd', 'e'].map((name) => `msg_resp_${name}`)
    const findIds = async (owner: ObjectOwner) =>
      [...((await store.findItems(owner, ids, 1e6))?.keys() ?? [])].toSorted()
    expect(await findIds(ann)).toEqual(['msg_resp_a', 'msg_resp_c', 'msg_resp_d'])
    expect(await findIds({ userId: 2, tokenId: null })).toEqual(['msg_resp_b'])
    expect(await findIds({ userId: 1, tokenId: 8 })).toEqual([])
    expect(await store.findItems(ann, ids, 500)).toBeNull()
    for (const id of ['resp_a', 'resp_d']) await store.remove(ann, id)
    expect(await findIds(ann)).toEqual(['msg_resp_c'])
    await store.close()
    expect(await itemRows()).toHaveLength(2)
    await removeTurnsOf(ann.userId, world.ctx.database.query)
    expect(await itemRows()).toHaveLength(1)
  })

  test('a turn that is too large is not stored, and the least recently used leave a user who has too much', async () => {
    limits = { ...limits, maxTurnBytes: 2000, maxUserBytes: 20_000 }
    const store = aStore()
    store.add(aTurn('resp_large', null, 'x'.repeat(2000)))
    expect(await store.find(ann, 'resp_large')).toBeNull()
    const conversation = await createConversation(deps(), { id: 'conv_b', userId: 1, tokenId: 7, metadata: {} }, day)
    await store.append(conversation, { origin: null, items: [{ id: 'msg_1', item: { role: 'user', content: 'hi' } }] })
    const other = { ...aTurn('resp_other'), userId: 2 }
    store.add(other)
    for (let turn = 0; turn < 100; turn += 1) {
      now += 1
      store.add(aTurn(`resp_${turn}`, null, 'x'.repeat(400)))
      if (turn % 10 === 9) await store.find(ann, 'resp_none')
    }
    await store.close()
    const all = (await rows()).filter(({ user_id: id }) => id === 1)
    const bytes = all.reduce((sum, row) => sum + row.bytes, 0)
    expect(bytes).toBeWithin(10_000, 22_000)
    const fresh = aStore()
    expect(await fresh.find(ann, 'resp_99')).not.toBeNull()
    expect(await fresh.find(ann, 'resp_0')).toBeNull()
    expect(await fresh.find({ userId: 2, tokenId: null }, 'resp_other')).not.toBeNull()
    expect(await findConversation(deps(), ann, 'conv_b')).toBeNull()
    await fresh.close()
  })

  once('empty conversations take room, too', async () => {
    limits = { ...limits, maxUserBytes: 20_000 }
    const store = aStore()
    for (let count = 0; count < 200; count += 1)
      await store.createConversation({ id: `conv_${count}`, userId: 1, tokenId: 7, metadata: {} })
    await store.close()
    const { query } = world.ctx.database
    const left = await query.selectFrom('conversations').select('bytes').where('user_id', '=', 1).execute()
    expect(left.length).toBeWithin(50, 80)
    expect(await findConversation(deps(), ann, 'conv_199')).not.toBeNull()
  })

  test('rows that were moved or changed cannot be read', async () => {
    await writeTurns([aTurn('resp_a'), aTurn('resp_b')])
    const [first, second] = await rows()
    const { query } = world.ctx.database
    await query
      .updateTable('response_turns')
      .set({ sealed: second?.sealed ?? '' })
      .where('id_hash', '=', first?.id_hash ?? '')
      .execute()
    const store = aStore()
    const reads = await Promise.allSettled(['resp_a', 'resp_b'].map((id) => store.find(ann, id)))
    expect(reads.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await store.close()
  })
})

test('SQLite looks up each turn of a thread by its key, however many turns a user has', async () => {
  await using world = await createWorld({ kind: 'sqlite' })
  const statements: string[] = []
  const database = faultyDatabase(world.ctx.database, (statement) => {
    statements.push(statement)
    return 'none'
  })
  const limits = { ttlSeconds: day, maxTurnBytes: 1e6, maxUserBytes: 1e9 }
  const store = createTurns({ ...world.ctx, database, limits: () => limits })
  expect(idsOf(await store.threadTo(ann, 'resp_a', 1e6))).toBe('none')
  await store.close()
  const statement = statements.find((text) => text.includes('with recursive'))
  const explained = sql<{ detail: string }>`${sql.raw(`explain query plan ${statement}`)}`
  const { rows: plan } = await explained.execute(world.ctx.database.query)
  const searches = plan.map(({ detail }) => detail).filter((detail) => /\bt\b/.test(detail))
  expect(searches).toHaveLength(3)
  for (const search of searches) expect(search).toMatch(/^SEARCH t USING INDEX \w+ \(id_hash=\? AND user_id=\?\)$/)
})

test('neither the file nor its log ever has a word of turns and conversations, or their ids', async () => {
  const stored = await emptyDatabase('sqlite')
  await migrate(stored.database)
  await using world = await createWorld({ kind: 'sqlite' })
  const limits = { ttlSeconds: day, maxTurnBytes: 1e6, maxUserBytes: 1e9 }
  const deps = { ...world.ctx, database: stored.database }
  const store = createTurns({ ...deps, limits: () => limits })
  const bytes = () =>
    readdirSync(dirname(stored.location))
      .map((name) => readFileSync(join(dirname(stored.location), name)).toString('latin1'))
      .join('')
  for (let turn = 0; turn < 20; turn += 1) store.add(aTurn(`resp_hidden_${turn}`, null, 'periwinkle'))
  const conversation = await store.createConversation({
    id: 'conv_hidden',
    userId: 1,
    tokenId: 7,
    metadata: { topic: 'periwinkle' },
  })
  await store.append(conversation, { origin: null, items: [{ id: 'msg_hidden', item: { content: 'periwinkle' } }] })
  await store.close()
  expect(bytes()).toContain(sha256('resp_hidden_0'))
  expect(bytes()).not.toMatch(/periwinkle|_hidden/)
  for (let turn = 0; turn < 20; turn += 1) await store.remove(ann, `resp_hidden_${turn}`)
  await removeConversation(deps, conversation)
  const { query } = stored.database
  for (const table of ['response_turns', 'response_turn_items', 'conversations', 'conversation_items'] as const)
    expect(await query.selectFrom(table).selectAll().execute()).toEqual([])
  expect(bytes()).not.toMatch(/periwinkle|_hidden/)
  await stored.drop()
})
