import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { onceOf } from '../../../test/kinds'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'

const errorOf = async (response: Response) => ((await response.json()) as { error: JsonObject }).error

/** How a request names something, and how an answer brings it about. */
interface Kind {
  readonly what: string
  readonly path: string
  /** What the answer has that makes it; null: the id of the answer. */
  readonly output: JsonObject | null
  readonly naming: (id: string) => JsonObject
}

const responses = '/v1/responses'
const item = (fields: JsonObject) => ({ output: [{ type: 'message', role: 'assistant', content: [], ...fields }] })
const code = { type: 'code_interpreter_call', id: 'ci', container_id: 'it', status: 'completed', code: '1' }
const cited = { type: 'container_file_citation', container_id: 'cntr_1', file_id: 'it' }
const user = (content: unknown) => ({ role: 'user', content })

const kinds: readonly Kind[] = [
  {
    what: 'a response',
    path: responses,
    output: { id: 'it' },
    naming: (id) => ({ input: 'go on', previous_response_id: id }),
  },
  {
    what: 'a conversation',
    path: responses,
    output: { conversation: { id: 'it' } },
    naming: (id) => ({ input: 'go on', conversation: { id } }),
  },
  {
    what: 'an item of a response',
    path: responses,
    output: item({ id: 'it' }),
    naming: (id) => ({ input: [{ type: 'item_reference', id }, user('go on')] }),
  },
  {
    what: 'a picture that was drawn',
    path: responses,
    output: { output: [{ type: 'image_generation_call', id: 'it', status: 'completed', result: 'AAAA' }] },
    naming: (id) => ({ input: [user('bluer'), { type: 'image_generation_call', id }] }),
  },
  {
    what: 'reasoning that the vendor keeps',
    path: responses,
    output: { output: [{ type: 'reasoning', id: 'it', summary: [] }, ...item({ id: 'm' }).output] },
    naming: (id) => ({ input: [{ type: 'reasoning', id, summary: [] }, user('go on')] }),
  },
  {
    what: 'a container',
    path: responses,
    output: { output: [code] },
    naming: (id) => ({ input: 'again', tools: [{ type: 'code_interpreter', container: id }] }),
  },
  {
    what: 'a container of an earlier call',
    path: responses,
    output: { output: [code] },
    naming: (id) => ({ input: [{ ...code, container_id: id }, user('again')] }),
  },
  {
    what: 'a file of a container',
    path: responses,
    output: item({ content: [{ type: 'output_text', text: 'here', annotations: [cited] }] }),
    naming: (id) => ({ input: [user([{ type: 'input_file', file_id: id }])] }),
  },
  {
    what: 'a recording',
    path: '/v1/chat/completions',
    output: { audio: { id: 'it', transcript: 'hello', data: '' } },
    naming: (id) => ({ messages: [user('hi'), { role: 'assistant', audio: { id } }, user('louder')] }),
  },
  {
    what: 'a container of code',
    path: '/v1/messages',
    output: { container: { id: 'it', expires_at: '2027-01-01T00:00:00Z' } },
    naming: (id) => ({ container: id, messages: [user('again')] }),
  },
  {
    what: 'a file that code wrote',
    path: '/v1/messages',
    output: {
      content: [
        {
          type: 'bash_code_execution_tool_result',
          tool_use_id: 't',
          content: {
            type: 'bash_code_execution_result',
            content: [{ type: 'bash_code_execution_output', file_id: 'it' }],
          },
        },
        { type: 'text', text: 'done' },
      ],
    },
    naming: (id) => ({ messages: [user([{ type: 'container_upload', file_id: id }])] }),
  },
]

describe.each(eachDatabase)('what lies in accounts of vendors (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database)
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
  })

  const plain = (path: string) => (path === responses ? { input: 'hello' } : { messages: [user('hello')] })
  /** Gives what an answer brings about an id that no other test uses. */
  const withUniqueId = (output: JsonObject | null, id: string) =>
    JSON.parse(JSON.stringify(output).replaceAll('"it"', `"${id}"`)) as JsonObject

  describe.each(['whole', 'streamed'])('in %s answers', (form) => {
    const stream = form === 'streamed'
    ;(stream ? onceOf(database) : test).each(kinds)(
      '$what is its user’s alone, and leads back to its account',
      async ({ what, path, output, naming }) => {
        const id = `${what.replaceAll(' ', '_')}_${form}`
        at.vendor.extra = withUniqueId(output, id)
        await (await at.call(path, { ...plain(path), ...(stream && { stream }) })).text()
        const { key } = at.vendor.last
        at.vendor.extra = {}
        for (let turn = 0; turn < 6; turn += 1) {
          expect((await at.call(path, naming(id))).status).toBe(200)
          expect(at.vendor.last.key).toBe(key)
          expect(JSON.stringify(at.vendor.last.body)).toContain(id)
        }
        at.vendor.received = []
        await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
        const refused = await at.call(path, naming(id), at.ben)
        const isResponse = what === 'a response'
        expect(refused.status).toBe(isResponse ? 400 : 404)
        expect(await errorOf(refused)).toMatchObject(
          path === '/v1/messages'
            ? { message: expect.stringContaining(id) as string }
            : { code: isResponse ? 'previous_response_not_found' : 'object.none', param: expect.any(String) as string },
        )
        expect(at.vendor.received).toEqual([])
      },
    )
  })

  test.each(kinds)('$what that another key made is not there for a limited key, and its own is', async (kind) => {
    const { what, path, output, naming } = kind
    const [one, other] = [await at.aLimitedKey(), await at.aLimitedKey()]
    const make = async (id: string, caller: typeof one) => {
      at.vendor.extra = withUniqueId(output, id)
      await (await at.call(path, plain(path), caller)).text()
      at.vendor.extra = {}
      await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    }
    const statusOf = async (id: string, caller: typeof one) => (await at.call(path, naming(id), caller)).status
    const id = `${what.replaceAll(' ', '_')}_of_a_key`
    await make(id, one)
    const refused = what === 'a response' ? 400 : 404
    // A key without limits sees what its user made, which makes it no one else's.
    expect([await statusOf(id, one), await statusOf(id, at.ann)]).toEqual([200, 200])
    await make(id, at.ann)
    expect([await statusOf(id, other), await statusOf(id, one)]).toEqual([refused, 200])
  })

  test('a file is edited in the account that has it, and no other account or vendor is told its id', async () => {
    const drawing = { type: 24, models: 'gpt-image-1', model_mapping: '{"gpt-image-1":"gemini-2.5-flash-image"}' }
    await at.world.addChannel({ ...at.keys('k9'), ...drawing, priority: 9 })
    const id = 'file_to_edit'
    at.vendor.extra = withUniqueId(item({ content: [{ type: 'output_text', text: 'here', annotations: [cited] }] }), id)
    await (await at.respond()).text()
    const { key } = at.vendor.last
    at.vendor.extra = {}
    const edits = { model: 'gpt-image-1', prompt: 'Add ice', images: [{ file_id: id }], mask: { file_id: id } }
    for (let turn = 0; turn < 4; turn += 1) {
      expect((await at.call('/v1/images/edits', edits)).status).toBe(200)
      expect(at.vendor.last).toMatchObject({ key, body: { images: edits.images, mask: edits.mask } })
    }
    await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    at.vendor.received = []
    const refused = await at.call('/v1/images/edits', edits, at.ben)
    expect(refused.status).toBe(404)
    expect(await errorOf(refused)).toMatchObject({ code: 'object.none' })
    expect(at.vendor.received).toEqual([])
  })

  test('what was made before keys were recorded is there for all keys of its user', async () => {
    const { id } = await at.aResponse()
    await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    await at.world.ctx.database.query.updateTable('vendor_objects').set({ token_id: null }).execute()
    const limited = await at.aLimitedKey()
    expect((await at.respond({ previous_response_id: id }, limited)).status).toBe(200)
  })

  onceOf(database).each<[string, string, JsonObject]>([
    ['a response', responses, { input: 'x', previous_response_id: 'resp_never' }],
    ['a prompt', responses, { prompt: { id: 'pmpt_operator' } }],
    ['a picture', '/v1/images/edits', { model: 'gpt-image-1', prompt: 'x', images: [{ file_id: 'file-operator' }] }],
    [
      'a mask',
      '/v1/images/edits',
      { model: 'gpt-image-1', prompt: 'x', images: [{ image_url: 'https://a/b' }], mask: { file_id: 'file-operator' } },
    ],
    [
      'the mask of a picture tool',
      responses,
      { input: 'x', tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file-operator' } }] },
    ],
    ['a file', responses, { input: [user([{ type: 'input_file', file_id: 'file-operator' }])] }],
    ['a vector store', responses, { input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_operator'] }] }],
    ['a file of a chat', '/v1/chat/completions', { messages: [user([{ type: 'file', file: { file_id: 'file-1' } }])] }],
    [
      'a skill',
      '/v1/messages',
      { container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] }, messages: [user('x')] },
    ],
    [
      'a cache',
      '/v1beta/models/gemini-2.5-flash:generateContent',
      { contents: [{ parts: [{ text: 'x' }] }], cachedContent: 'cachedContents/1' },
    ],
    [
      'a file of Google’s',
      '/v1beta/models/gemini-2.5-flash:generateContent',
      { contents: [{ parts: [{ fileData: { fileUri: 'gs://private/a.pdf', mimeType: 'application/pdf' } }] }] },
    ],
    [
      'a file in place of a list',
      '/v1beta/models/gemini-2.5-flash:generateContent',
      { contents: { parts: { fileData: { fileUri: 'gs://private/a.pdf', mimeType: 'application/pdf' } } } },
    ],
    [
      'a picture in a bucket',
      '/v1/chat/completions',
      { messages: [user([{ type: 'image_url', image_url: { url: 'gs://private/a.png' } }])] },
    ],
    ['a frame in a bucket', '/v1/videos', { prompt: 'x', input_reference: 'gs://private/a.png' }],
  ])('%s that no call of the user left is not there for them', async (_what, path, body) => {
    const refused = await at.call(path, body)
    expect(refused.status).toBe(path === responses && 'previous_response_id' in body ? 400 : 404)
    expect(JSON.stringify(await refused.json())).not.toContain('upstream')
    expect(at.vendor.received).toEqual([])
  })
})
