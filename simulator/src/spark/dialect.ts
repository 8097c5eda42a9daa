import { plainRequest } from '../generation-request'
import { Refusal, type SimulatedResponse } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import type { Call, Dialect } from '../dialect'
import { listOr, numberOr, objectOr, type JsonObject } from '../json'
import { plainCounted, promptTokensOf } from '../usage-report'
import { generationFor } from '../generation'
import { type StreamEvent, webSocketMessages } from '../wire'

/** iFlytek's Spark over a WebSocket. That the address is signed is checked, the signature is not. */
export const spark: Dialect = {
  wire: { errorBody: (status, { message }) => ({ header: { code: status, message, sid: 'sid-sim', status: 2 } }) },
  serves: ({ headers, path }) =>
    headers['upgrade']?.toLowerCase() === 'websocket' && /\/(?:v[\d.]+\/(?:chat|x1)|chat\/[\w-]+)$/.test(path),
  respond(call, behaviour) {
    checkSigned(call)
    return chat(objectOr(call.json), behaviour, call.number)
  },
}

function checkSigned({ query, headers, json }: Call): void {
  const parameters = new URLSearchParams(query)
  const authorization = Buffer.from(parameters.get('authorization') ?? '', 'base64').toString()
  if (
    !/^api_key="[^"]+", algorithm="hmac-sha256", headers="host date request-line", signature="[^"]+"$/.test(
      authorization,
    )
  )
    throw new Refusal(401, 'HMAC signature cannot be verified')
  if (parameters.get('host') !== headers['host']) throw new Refusal(403, 'HMAC signature does not match')
  if (!objectOr(objectOr(json)['header'])['app_id']) throw new Refusal(10_004, 'header.app_id is required')
}

function chat(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const payload = objectOr(body['payload'])
  const messages = listOr(objectOr(payload['message'])['text']).map(objectOr)
  const limit = numberOr(objectOr(objectOr(body['parameter'])['chat'])['max_tokens'], 0)
  const prompt = messages.map(({ content }) => content)
  const speech = generationFor(
    {
      ...plainRequest,
      prompt,
      tools: listOr(objectOr(payload['functions'])['text']).map((tool) => {
        const { name, parameters } = objectOr(tool)
        return { name: typeof name === 'string' ? name : 'unnamed', schema: parameters }
      }),
      isParallel: false,
      limit: limit > 0 ? limit : null,
    },
    behaviour,
  )
  const counted = plainCounted(behaviour.promptTokens ?? promptTokensOf(prompt), speech.completionTokens, behaviour)
  const responseId = `cht-sim${number}`
  const frame = (status: number, seq: number, text: JsonObject, usage: JsonObject = {}): StreamEvent => ({
    data: JSON.stringify({
      header: { code: 0, message: 'Success', sid: responseId, status },
      payload: { choices: { status, seq, text: [{ ...text, role: 'assistant', index: 0 }] }, ...usage },
    }),
  })
  const [call] = speech.toolCalls
  const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
  const events = pieces.map((content, seq) => frame(seq === 0 ? 0 : 1, seq, { content }))
  const ending =
    call === undefined
      ? { content: '' }
      : { content: '', function_call: { name: call.name, arguments: JSON.stringify(call.arguments) } }
  const usage =
    counted.reported === undefined ? {} : { usage: { text: { question_tokens: 1, ...objectOr(counted.reported) } } }
  const last = frame(2, pieces.length, ending, usage)
  return { kind: 'stream', events, last, counted, responseId, framing: webSocketMessages }
}
