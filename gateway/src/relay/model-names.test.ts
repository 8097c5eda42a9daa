import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { readLogDetails, type ModelChain } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'
import { faults, type Behaviour, type Ending } from '@tollgate/simulator'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { aWindow } from '../../test/windows'

const claude = 'claude-sonnet-4-5'
const messages = [{ role: 'user', content: 'hello' }]
/** US dollars for a million tokens of input. */
const ratios = { 'gpt-4o': 5, 'gpt-4o-mini': 1, 'gpt-4': 3, [claude]: 2 }

describe('names of models that the site makes', () => {
  let world: RelayWorld
  beforeAll(async () => {
    world = await createRelayWorld()
    await world.changeChannel(1, { models: 'gpt-4o,gpt-4o-mini,gpt-4' })
    await world.addChannel({ type: 14, models: claude })
    await world.setOptions({
      ModelRatio: JSON.stringify(ratios),
      CompletionRatio: JSON.stringify(Object.fromEntries(Object.keys(ratios).map((model) => [model, 4]))),
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    world.simulator.reset()
    world.forgetHealth()
    await world.setOptions({ ModelAliases: '{}', ModelChains: '{}' })
  })

  const alias = (...targets: string[]) => [{ targets: targets.map((model) => ({ model, weight: 1 })) }]
  const setAliases = (aliases: object) => world.setOptions({ ModelAliases: JSON.stringify(aliases) })
  const setChains = (chains: Readonly<Record<string, ModelChain>>) =>
    world.setOptions({ ModelChains: JSON.stringify(chains) })
  /** What the vendor does with calls of a model. */
  const behave = (model: string, behaviour: Behaviour) =>
    world.simulator.when(({ body }) => body.includes(`"model":"${model}"`), behaviour)
  const sentModels = () => world.simulator.requests.map(({ body }) => String((JSON.parse(body) as JsonObject)['model']))
  const read = async (pending: Promise<Response>) => {
    const response = await pending
    const { headers } = response
    const named = [headers.get('tollgate-model'), headers.get('tollgate-model-reason')]
    return { status: response.status, named, body: (await response.json()) as JsonObject & { error?: JsonObject } }
  }
  const aPayer = (quota = 1_000_000) => world.addPayer(quota)
  const costOf = async (call: (key: string) => Promise<Response>) => {
    const { userId, key } = await aPayer()
    const response = await call(key)
    await response.text()
    const [row] = await world.chargesOf(userId, 1)
    expect(1_000_000 - (await world.balanceOf(userId))).toBe(row?.quota ?? NaN)
    return { row, details: readLogDetails(row?.other ?? ''), headers: response.headers }
  }

  describe('an alias', () => {
    test('an alias is served, charged and logged as the model that it leads to', async () => {
      await world.setOptions({ ModelAliases: JSON.stringify({ smart: alias('gpt-4o-mini') }) })
      const direct = await costOf((key) => world.chat({ model: 'gpt-4o-mini' }, { key }))
      const { row, details, headers } = await costOf((key) => world.chat({ model: 'smart' }, { key }))
      expect(sentModels()).toEqual(['gpt-4o-mini', 'gpt-4o-mini'])
      expect([row?.model_name, row?.quota]).toEqual(['gpt-4o-mini', direct.row?.quota])
      expect([details.requested_model, details.model_reason]).toEqual(['smart', 'alias'])
      expect([headers.get('tollgate-model'), headers.get('tollgate-model-reason')]).toEqual(['gpt-4o-mini', 'alias'])
      expect([direct.details.requested_model, direct.headers.get('tollgate-model')]).toEqual([undefined, null])
    })

    test('answers of each dialect name the model that served an alias', async () => {
      await setAliases({ smart: alias(claude), own: alias('gpt-4o-mini') })
      const chat = await read(world.chat({ model: 'smart' }))
      expect([chat.body['model'], chat.named]).toEqual([claude, [claude, 'alias']])
      const body = { model: 'own', max_tokens: 9, messages }
      expect((await read(world.post('/v1/messages', body))).body).toMatchObject({ model: 'gpt-4o-mini' })
      const response = await read(world.post('/v1/responses', { model: 'smart', input: 'hello' }))
      expect([response.status, response.body['model']]).toEqual([200, claude])
      const google = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
      const generated = await read(world.post('/v1beta/models/smart:generateContent', google))
      expect([generated.status, generated.named]).toEqual([200, [claude, 'alias']])
    })

    test('an alias chooses by what the call needs', async () => {
      await setAliases({
        smart: [
          { needs: ['tools'], targets: [{ model: claude, weight: 1 }] },
          { min_tokens: 500, targets: [{ model: 'gpt-4o', weight: 1 }] },
          { groups: ['vip'], targets: [{ model: 'gpt-4', weight: 1 }] },
          { targets: [{ model: 'gpt-4o-mini', weight: 1 }] },
        ],
      })
      const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
      const long = [{ role: 'user', content: 'word '.repeat(2000) }]
      for (const body of [{ tools }, { messages: long }, {}])
        expect((await world.chat({ model: 'smart', ...body })).status).toBe(200)
      expect(sentModels()).toEqual([claude, 'gpt-4o', 'gpt-4o-mini'])
    })

    test('an alias keeps a conversation with one model', async () => {
      await setAliases({ smart: alias('gpt-4o', 'gpt-4o-mini', 'gpt-4') })
      const converse = (prompt_cache_key: string) => world.chat({ model: 'smart', prompt_cache_key })
      for (let turn = 0; turn < 12; turn += 1) await (await converse(`talk-${turn % 2}`)).text()
      const [even, odd] = [0, 1].map((part) => new Set(sentModels().filter((_, at) => at % 2 === part)))
      expect([even?.size, odd?.size]).toEqual([1, 1])
    })

    test('a key that is limited to an alias may call it, and not its models', async () => {
      await setAliases({ smart: alias('gpt-4o-mini') })
      const userId = await world.addUser(1_000_000)
      const limit = (model_limits: string) => world.addToken(userId, { model_limits_enabled: 1, model_limits })
      const [ofAlias, ofModel] = [await limit('smart'), await limit('gpt-4o-mini')]
      const status = async (model: string, key: string) => (await world.chat({ model }, { key })).status
      expect([await status('smart', ofAlias), await status('gpt-4o-mini', ofAlias)]).toEqual([200, 403])
      expect([await status('smart', ofModel), await status('gpt-4o-mini', ofModel)]).toEqual([403, 200])
    })

    test('an alias is listed in each dialect, with the limits of its models', async () => {
      await setAliases({ smart: alias('gpt-4o-mini', 'gpt-4') })
      const list = async (path: string, headers: Record<string, string> = {}) => {
        const response = await fetch(world.url + path, {
          headers: { authorization: `Bearer ${world.key}`, ...headers },
        })
        return (await response.json()) as { data?: JsonObject[]; models?: JsonObject[] }
      }
      const own = (await list('/v1/models')).data?.find(({ id }) => id === 'smart')
      expect(own).toMatchObject({ owned_by: 'site', context_length: 8192 })
      const anthropic = await list('/v1/models', { 'anthropic-version': '2023-06-01' })
      expect(anthropic.data?.find(({ id }) => id === 'smart')).toMatchObject({ max_input_tokens: 8192 })
      expect((await list('/v1beta/models')).models?.some(({ name }) => name === 'models/smart')).toBe(true)
      expect((await list('/api/tags')).models?.some(({ name }) => name === 'smart')).toBe(true)
      expect((await list('/v1/models/smart')) as object).toMatchObject({ id: 'smart', owned_by: 'site' })
    })

    test('an alias is refused where none of its models is served', async () => {
      await setAliases({ smart: alias('no-such-model') })
      const { status, body } = await read(world.chat({ model: 'smart' }))
      expect([status, body.error?.['code']]).toEqual([503, 'route.no_channel'])
    })

    test('a used-up limit may lead to an alias', async () => {
      await setAliases({ smart: alias('gpt-4o-mini') })
      const { userId, key } = await aPayer()
      await aWindow(world.ctx.database, userId, { limit_amount: 1, fallback_model: 'smart' })
      expect((await world.chat({}, { key })).status).toBe(200)
      const { named } = await read(world.chat({}, { key }))
      expect(named).toEqual(['gpt-4o-mini', 'window'])
      const rows = await world.chargesOf(userId, 2)
      expect(readLogDetails(rows[1]?.other ?? '')).toMatchObject({
        requested_model: 'gpt-4o',
        model_reason: 'window',
      })
    })
  })

  describe('a chain', () => {
    const chain = { 'gpt-4o': { models: [claude, 'gpt-4o-mini'] } }

    test('a call whose model fails goes on at the price of the one that serves', async () => {
      await world.setOptions({ ModelChains: JSON.stringify(chain) })
      behave('gpt-4o', faults['status-500'])
      const direct = await costOf((key) => world.chat({ model: claude }, { key }))
      const { row, details, headers } = await costOf((key) => world.chat({}, { key }))
      expect([row?.model_name, row?.quota]).toEqual([claude, direct.row?.quota])
      expect([details.requested_model, details.model_reason]).toEqual(['gpt-4o', 'failure'])
      expect([headers.get('tollgate-model'), headers.get('tollgate-model-reason')]).toEqual([claude, 'failure'])
      expect(details.admin_info?.attempts.map(({ status }) => status)).toEqual([500, 200])
    })

    test('a call goes on to the model behind the next, and ends with the first failure', async () => {
      await setChains(chain)
      behave('gpt-4o', faults['status-500'])
      behave(claude, faults['status-500'])
      expect((await read(world.chat())).named).toEqual(['gpt-4o-mini', 'failure'])
      world.forgetHealth()
      behave('gpt-4o-mini', {
        fault: { kind: 'status', status: 503, error: { message: 'no', type: '', code: null } },
      })
      const { userId, key } = await aPayer()
      expect((await read(world.chat({}, { key }))).body.error?.['code']).toBe('upstream.failed')
      expect(await world.balanceOf(userId)).toBe(1_000_000)
    })

    test('the chain of an alias comes before that of the model it leads to', async () => {
      await setAliases({ smart: alias('gpt-4o') })
      await setChains({ smart: { models: ['gpt-4o-mini'] }, ...chain })
      behave('gpt-4o', faults['status-500'])
      expect((await read(world.chat({ model: 'smart' }))).named).toEqual(['gpt-4o-mini', 'failure'])
      await setChains(chain)
      expect((await read(world.chat({ model: 'smart' }))).named).toEqual([claude, 'failure'])
    })

    test('a chain serves a model whose channels are all disabled', async () => {
      await setChains(chain)
      await world.changeChannel(1, { status: 2 })
      expect((await read(world.chat())).named).toEqual([claude, 'failure'])
      await world.changeChannel(1, { status: 1 })
    })

    test('a request that is wrong is not repeated with another model', async () => {
      await setChains(chain)
      const error = { message: "Invalid 'n'", type: 'invalid_request_error', code: 'invalid_value' }
      behave('gpt-4o', { fault: { kind: 'status', status: 400, error } })
      expect([(await world.chat()).status, sentModels()]).toEqual([400, ['gpt-4o']])
    })

    test('a call goes on for the reasons of the chain alone', async () => {
      await setChains({ 'gpt-4o': { models: [claude], on: ['refusal', 'length'] } })
      behave('gpt-4o', faults['status-500'])
      expect([(await world.chat()).status, sentModels()]).toEqual([502, ['gpt-4o']])
    })

    test('a stream that has begun is not replaced by that of another model', async () => {
      await setChains(chain)
      behave('gpt-4o', { tokens: 20, fault: { kind: 'cut', afterFrames: 4 } })
      expect(await (await world.chat({ stream: true })).text()).toContain('error')
      expect(sentModels()).toEqual(['gpt-4o'])
    })

    test('a key that is limited to some models goes on with those alone', async () => {
      await setChains(chain)
      behave('gpt-4o', faults['status-500'])
      const userId = await world.addUser(1_000_000)
      const key = await world.addToken(userId, { model_limits_enabled: 1, model_limits: 'gpt-4o,gpt-4o-mini' })
      expect((await read(world.chat({}, { key }))).named).toEqual(['gpt-4o-mini', 'failure'])
    })

    test('a model that the balance does not pay for is passed over, and nothing is charged when none is left', async () => {
      await setChains({ 'gpt-4o-mini': { models: ['gpt-4o'] } })
      behave('gpt-4o-mini', faults['status-500'])
      const call = { model: 'gpt-4o-mini', max_tokens: 100 }
      const { userId, key } = await aPayer(600)
      expect((await read(world.chat(call, { key }))).status).toBe(502)
      expect([sentModels(), await world.balanceOf(userId)]).toEqual([['gpt-4o-mini'], 600])
      world.forgetHealth()
      const rich = await aPayer(6000)
      expect((await read(world.chat(call, { key: rich.key }))).named).toEqual(['gpt-4o', 'failure'])
      const [row] = await world.chargesOf(rich.userId, 1)
      expect(await world.balanceOf(rich.userId)).toBe(6000 - (row?.quota ?? 0))
    })

    describe('on a refusal of the content', () => {
      test.each([
        [400, { message: 'no', type: 'invalid_request_error', code: 'content_filter' }],
        [400, { message: 'Your request was rejected as a result of our safety system.', type: '', code: null }],
      ])('a call goes on where the vendor refuses with status %i and %j', async (status, error) => {
        await setChains(chain)
        behave('gpt-4o', { fault: { kind: 'status', status, error } })
        expect((await read(world.chat())).named).toEqual([claude, 'refusal'])
      })

      test.each<[string, Ending, boolean]>([
        ['a whole answer', 'content-filter', false],
        ['a stream', 'content-filter', true],
        ['a refusing model', 'refusal', false],
      ])('a call goes on where %s is withheld', async (_, ending, stream) => {
        await setChains({ 'gpt-4o': { models: [claude], on: ['refusal'] }, [claude]: { models: ['gpt-4o-mini'] } })
        // A refusing model says so in words, which a whole answer has before anything of it is sent.
        const behaviour = ending === 'refusal' ? { ending } : { tokens: 0, text: '', ending }
        behave(claude, behaviour)
        const readServed = async (pending: Promise<Response>) => {
          const response = await pending
          await response.text()
          return [response.headers.get('tollgate-model'), response.headers.get('tollgate-model-reason')]
        }
        const body = { model: claude, max_tokens: 9, messages, stream }
        expect(await readServed(world.post('/v1/messages', body))).toEqual(['gpt-4o-mini', 'refusal'])
        world.simulator.reset()
        behave('gpt-4o', behaviour)
        expect(await readServed(world.chat({ stream }))).toEqual([claude, 'refusal'])
      })

      test('the answer of the last model is left as it is', async () => {
        await setChains({ 'gpt-4o': { models: [claude] } })
        for (const model of ['gpt-4o', claude]) behave(model, { tokens: 0, text: '', ending: 'content-filter' })
        const { status, named } = await read(world.chat())
        expect([status, named]).toEqual([200, [claude, 'refusal']])
      })
    })

    describe('on a prompt that is longer than the window', () => {
      const long = { messages: [{ role: 'user', content: 'word '.repeat(12_000) }] }

      test('a call begins with the next model that has room, before a vendor is called', async () => {
        await setChains({ 'gpt-4': { models: ['gpt-4o'] } })
        expect((await read(world.chat({ model: 'gpt-4' }))).named).toEqual([null, null])
        expect((await read(world.chat({ model: 'gpt-4', ...long }))).named).toEqual(['gpt-4o', 'length'])
        expect(sentModels()).toEqual(['gpt-4', 'gpt-4o'])
      })

      test('a call goes on where the vendor says that its prompt is too long', async () => {
        await setChains({ 'gpt-4o': { models: ['gpt-4', claude] } })
        const error = { message: 'long', type: 'invalid_request_error', code: 'context_length_exceeded' }
        behave('gpt-4o', { fault: { kind: 'status', status: 400, error } })
        expect((await read(world.chat(long))).named).toEqual([claude, 'length'])
        expect(sentModels()).toEqual(['gpt-4o', claude])
      })
    })
  })
})
