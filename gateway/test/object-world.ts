import type { JsonObject } from '@tollgate/dialects'

import type { Context } from '../src/context'
import { InFlight } from '../src/relay/in-flight/in-flight'
import { createRelay } from '../src/relay/relay-app'
import type { DatabaseKind } from '../src/platform/store/database'
import { systemTimers } from '../src/platform/time/timers'
import { createRelayWorld } from './relay-world'

interface ModelReply {
  readonly count: number
  readonly extra: JsonObject
}

const usage = { input_tokens: 900, output_tokens: 100, total_tokens: 1000 }

function responseOf({ count, extra }: ModelReply): JsonObject {
  const content = [{ type: 'output_text', text: 'Forty-two', annotations: [] }]
  const message = { type: 'message', id: `msg_${count}`, role: 'assistant', status: 'completed', content }
  return { id: `resp_${count}`, object: 'response', status: 'completed', output: [message], usage, ...extra }
}

const messageOf = ({ count, extra }: ModelReply): JsonObject => ({
  id: `msg_${count}`,
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Forty-two' }],
  stop_reason: 'end_turn',
  usage,
  ...extra,
})

const completionOf = ({ count, extra }: ModelReply): JsonObject => ({
  id: `chatcmpl-${count}`,
  object: 'chat.completion',
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Forty-two', ...extra }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
})

const geminiOf = ({ extra }: Pick<ModelReply, 'extra'>): JsonObject => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Forty-two' }], ...extra }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
})

const streamOf = (...events: readonly JsonObject[]) =>
  new Response(
    events
      .map(
        (event) =>
          `${typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
      )
      .join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  )

const delta = {
  type: 'response.output_text.delta',
  content_index: 0,
  delta: 'Forty-two',
}

function streamResponse(path: string, reply: ModelReply): Response {
  if (path.endsWith('enerateContent')) return streamOf(geminiOf(reply))
  if (path.endsWith('/responses')) {
    const response = responseOf(reply)
    const created = { ...response, status: 'in_progress', output: [], usage: null }
    const items = (response['output'] as JsonObject[]).flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      ...(item['type'] === 'message' ? [{ ...delta, item_id: item['id'], output_index }] : []),
      { type: 'response.output_item.done', output_index, item },
    ])
    const completed = { type: 'response.completed', response }
    return streamOf({ type: 'response.created', response: created }, ...items, completed)
  }
  if (path.endsWith('/messages')) {
    const { content, ...message } = messageOf(reply)
    const blocks = (content as JsonObject[]).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ])
    const end = { type: 'message_delta', delta: { stop_reason: 'end_turn', container: message['container'] }, usage }
    return streamOf({ type: 'message_start', message: { ...message, container: null, content: [] } }, ...blocks, end, {
      type: 'message_stop',
    })
  }
  const chunk = (members: JsonObject) => ({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o', ...members })
  return streamOf(
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Forty-two' } }] }),
    chunk({ choices: [{ index: 0, delta: reply.extra }] }),
    chunk({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    }),
  )
}

const keyOf = (headers: Headers): string =>
  headers.get('authorization')?.replace('Bearer ', '') ??
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key') ??
  ''

/** Starts a vendor of three dialects whose answers leave something in its accounts. */
function startKeepingVendor() {
  let count = 0
  const vendor = {
    received: [] as { readonly key: string; readonly body: JsonObject }[],
    /** What the next answers have besides. */
    extra: {} as JsonObject,
    /** It knows no response that a call names. */
    isForgetful: false,
    /** Responses that it was told to delete, each with the key. */
    deleted: [] as { readonly key: string; readonly path: string }[],
    /** The status by which it answers deletions. */
    deletionStatus: 200,
    /** Keys whose calls fail. */
    failing: new Set<string>(),
    get last() {
      return vendor.received.at(-1) ?? { key: '', body: {} }
    },
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (request.method === 'DELETE') {
        vendor.deleted.push({ key: keyOf(request.headers), path: pathname })
        return Response.json({ deleted: true }, { status: vendor.deletionStatus })
      }
      const body = (await request.json()) as JsonObject
      vendor.received.push({ key: keyOf(request.headers), body })
      if (vendor.failing.has(keyOf(request.headers)))
        return Response.json({ error: { message: 'no' } }, { status: 500 })
      if (vendor.isForgetful && body['previous_response_id'] !== undefined)
        return Response.json({ error: { message: "Unsupported parameter: 'previous_response_id'." } }, { status: 400 })
      count += 1
      const reply = { count, extra: vendor.extra }
      if (body['stream'] === true || pathname.endsWith('streamGenerateContent')) return streamResponse(pathname, reply)
      if (pathname.endsWith('/responses')) return Response.json(responseOf(reply))
      if (pathname.endsWith('/messages')) return Response.json(messageOf(reply))
      if (pathname.includes('/images/')) return Response.json({ data: [{ b64_json: 'AAAA' }] })
      return Response.json(pathname.includes('generateContent') ? geminiOf(reply) : completionOf(reply))
    },
  })
  return Object.assign(vendor, { address: String(server.url).replace(/\/$/, ''), stop: () => server.stop(true) })
}

const models: Readonly<Record<string, string>> = {
  '/v1/responses': 'gpt-4.1',
  '/v1/chat/completions': 'gpt-4.1-mini',
  '/v1/messages': 'claude-sonnet-4-5',
}

const limited = { model_limits_enabled: 1, model_limits: [...Object.values(models), 'gemini-2.5-flash'].join(',') }

/** A relay in front of channels with several accounts of a vendor, and two users. */
export type ObjectWorld = Awaited<ReturnType<typeof createObjectWorld>>

/** Builds one, where turns are kept by vendors alone unless `withTurns` is given. */
export async function createObjectWorld(kind: DatabaseKind, { withTurns = false } = {}) {
  const vendor = startKeepingVendor()
  const world = await createRelayWorld({ kind })
  await world.setOptions({ ResponseTurnsEnabled: String(withTurns) })
  const [ann, ben] = [await world.addPayer(1e9), await world.addPayer(1e9)]
  const keys = (text: string) => ({ base_url: vendor.address, key_sealed: world.ctx.seal.seal(text) })
  const one = await world.addChannel({ ...keys('k1\nk2'), models: 'gpt-4.1,gpt-4.1-mini,o3-pro,gpt-image-1' })
  const two = await world.addChannel({ ...keys('k3'), models: 'gpt-4.1,gpt-4.1-mini,o3-pro,gpt-image-1' })
  await world.addChannel({ ...keys('k4\nk5'), type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ ...keys('k6'), type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ ...keys('k7'), type: 24, models: 'gemini-2.5-flash' })
  await world.addChannel({ ...keys('k8'), type: 24, models: 'gemini-2.5-flash' })
  await world.addChannel({ ...keys('k9'), type: 43, models: 'deepseek-chat' })

  const call = (path: string, body: JsonObject, { key } = ann) =>
    world.post(path, { model: models[path], ...(path === '/v1/messages' && { max_tokens: 16 }), ...body }, { key })
  /** A key of Ann's that is limited to some models. */
  const aLimitedKey = async () => ({ ...ann, key: await world.addToken(ann.userId, limited) })
  const respond = (body: JsonObject = {}, caller = ann) => call('/v1/responses', { input: 'hello', ...body }, caller)
  return {
    world,
    vendor,
    ann,
    ben,
    one,
    two,
    keys,
    call,
    respond,
    aLimitedKey,
    /** Resolves with the id of a new response, and the key of the account that has it. */
    async aResponse(body: JsonObject = {}, caller = ann): Promise<{ id: string; key: string }> {
      const { id } = (await (await respond(body, caller)).json()) as { id: string }
      return { id, key: vendor.last.key }
    },
    offer: (objects: readonly object[]) => world.setOptions({ VendorObjects: JSON.stringify(objects) }),
    /** Returns a worker with these parts of its own, which is asked for responses. */
    anotherWorker(parts: Partial<Context>) {
      const ctx = { ...world.ctx, ...parts }
      const inFlight = new InFlight({ ...ctx, timers: systemTimers }, ctx.config.memoryInFlight)
      const relay = createRelay(ctx, { inFlight })
      return (body: JsonObject, { key } = ann) => {
        const request = new Request('http://other.test/v1/responses', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: 'gpt-4.1', input: 'go on', ...body }),
        })
        return relay.fetch(request, { address: '' })
      }
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await vendor.stop()
    },
  }
}
