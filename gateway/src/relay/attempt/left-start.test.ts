import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { faults, type Behaviour } from '@tollgate/simulator'

import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { differencesIn } from '../../app/commands/differences'

const model = 'claude-sonnet-4-5'
const prices = { [model]: 1 }
const balance = 1_000_000
const promptTokens = 9000
const secondPromptTokens = 4000
/** A start reports a token of its answer, at five times the price. */
const costOf = (prompt: number) => prompt + 5

const messages = [{ role: 'user', content: 'hello' }]
const clients = {
  'the upstream’s dialect': ['/v1/messages', { model, stream: true, max_tokens: 50, messages }],
  'another dialect': ['/v1/chat/completions', { model, stream: true, max_tokens: 50, messages }],
} as const
const breaks = ['error-after-start', 'cut-after-start', 'reset-after-start'] as const

/** Holds a stream when its start has been sent. */
function heldAfterStart() {
  const opened = Promise.withResolvers<void>()
  return { open: opened.resolve, gate: (frame: number) => (frame < 1 ? undefined : opened.promise) }
}

for (const kind of eachDatabase)
  describe(`a stream that starts, and whose client leaves before the upstream fails it (${kind})`, () => {
    const once = onceOf(kind)
    let world: RelayWorld
    beforeAll(async () => {
      world = await createRelayWorld({ kind })
      for (const [name, priority] of [
        ['first', 5],
        ['second', 1],
      ] as const) {
        const base_url = `${world.simulator.url}/${name}`
        channelIds[name] = await world.addChannel({ name, type: 14, models: model, priority, base_url })
      }
      await world.setOptions({
        ModelRatio: JSON.stringify(prices),
        CompletionRatio: JSON.stringify({ [model]: 5 }),
        RetryTimes: '3',
      })
    })
    afterAll(() => world[Symbol.asyncDispose]())
    beforeEach(() => {
      world.simulator.reset()
      world.forgetHealth()
    })

    const channelIds = { first: 0, second: 0 }
    const behave = (name: keyof typeof channelIds, behaviour: Behaviour) =>
      world.simulator.when(({ path }) => path.startsWith(`/${name}/`), behaviour)
    const arrivals = () => world.simulator.requests.map(({ path }) => path.split('/')[1])

    /** Calls, and leaves when the start of this request has reached the gateway. Resolves with the client's books when all is over. */
    async function leaveAt(request: number, client: keyof typeof clients, go: () => void) {
      const { userId, key } = await world.addPayer(balance, balance)
      const leaving = new AbortController()
      const [path, body] = clients[client]
      const response = world.post(path, body, { key, signal: leaving.signal }).catch(() => null)
      const arrived = await world.simulator.arrival(request)
      await eventually(async () => (arrived.framesDelivered >= 1 ? true : null))
      await turnsOfGateway()
      leaving.abort()
      expect(await response).toBeNull()
      // Either the gateway has stopped the upstream by now, or it reads on.
      await Promise.race([arrived.ended, turnsOfGateway()])
      go()
      await arrived.ended
      expect(await world.inFlight.whenIdle(10_000)).toBe(true)
      const rows = (await world.logs()).filter((row) => row.user_id === userId)
      const { query } = world.ctx.database
      const token = await query.selectFrom('tokens').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
      const { ledger } = world.ctx
      const left = [await world.balanceOf(userId), (await ledger.tokenBalanceOf([token.id])).get(token.id)]
      expect(await differencesIn(query, world.ctx.clock.seconds())).toEqual([])
      return { rows, left }
    }

    /** Other calls were answered, so what was under way before them has arrived as well. */
    const turnsOfGateway = async () => {
      for (let turn = 0; turn < 3; turn += 1) await (await fetch(`${world.url}/v1/models`)).text()
    }

    describe.each(Object.keys(clients) as (keyof typeof clients)[])('for a client of %s', (client) => {
      once.each(breaks)(
        'the reported start is charged once, no other channel is tried, and the %s is never read',
        async (end) => {
          const held = heldAfterStart()
          behave('first', { ...faults[end], promptTokens, gate: held.gate })
          const { rows, left } = await leaveAt(1, client, held.open)
          expect(arrivals()).toEqual(['first'])
          expect(rows).toMatchObject([
            {
              channel_id: channelIds.first,
              prompt_tokens: promptTokens,
              completion_tokens: 1,
              quota: costOf(promptTokens),
            },
          ])
          expect(JSON.parse(rows[0]?.other ?? '')).toMatchObject({ ending: 'abandoned', usage_estimated: 'completion' })
          expect(left).toEqual([balance - costOf(promptTokens), balance - costOf(promptTokens)])
        },
      )

      once.each(breaks)(
        'the start of the second channel alone is charged after a first one that started and ended by %s',
        async (end) => {
          const held = heldAfterStart()
          behave('first', { ...faults[end], promptTokens })
          behave('second', { ...faults[end], promptTokens: secondPromptTokens, gate: held.gate })
          const { rows, left } = await leaveAt(2, client, held.open)
          expect(arrivals()).toEqual(['first', 'second'])
          const cost = costOf(secondPromptTokens)
          expect(rows).toMatchObject([
            { channel_id: channelIds.second, prompt_tokens: secondPromptTokens, quota: cost },
          ])
          expect(left).toEqual([balance - cost, balance - cost])
        },
      )

      test.each(breaks)(
        'a failure by %s costs nothing and is not tried elsewhere where the channel reads on',
        async (end) => {
          await world.changeChannel(channelIds.first, { setting: '{"on_disconnect":"drain"}' })
          const held = heldAfterStart()
          behave('first', { ...faults[end], promptTokens, gate: held.gate })
          const { rows, left } = await leaveAt(1, client, held.open)
          await world.changeChannel(channelIds.first, { setting: '' })
          expect(arrivals()).toEqual(['first'])
          expect(rows).toEqual([])
          expect(left).toEqual([balance, balance])
        },
      )
    })
  })
