import { Refusal, type SimulatedResponse, whole } from '../simulated-response'
import { plainRequest } from '../generation-request'
import type { Behaviour } from '../behaviour'
import type { Call, Dialect } from '../dialect'
import { listOr, objectOr, parseJson, textOr, type JsonObject } from '../json'
import { plainCounted, promptTokensOf } from '../usage-report'
import { generationFor } from '../generation'
import type { Framing, StreamEvent } from '../wire'

const invocation = /\/paas\/v3\/model-api\/[^/]+\/(sse-)?invoke$/

/** Zhipu's third API, of the models before GLM-4. That tokens are signed is checked, the signature is not. */
export const zhipu: Dialect = {
  wire: {
    errorBody: (status, { message }) => ({ code: status, msg: message, success: false }),
    errorEvent: (status, { message }) =>
      eventOf('error', JSON.stringify({ code: status, msg: message, success: false })),
  },
  serves: ({ method, path }) => method === 'POST' && invocation.test(path),
  respond(call, behaviour) {
    checkToken(call)
    return invoke(objectOr(call.json), call, behaviour)
  },
}

function checkToken({ headers }: Call): void {
  const [header = '', claims = '', signature = ''] = (headers['authorization'] ?? '').split('.')
  const read = (part: string) => objectOr(parseJson(Buffer.from(part, 'base64url').toString()))
  const isSigned = signature !== '' && read(header)['sign_type'] === 'SIGN' && read(claims)['api_key'] !== undefined
  if (!isSigned) throw new Refusal(401, 'Authorization Token is invalid', 'authentication_error', '1002')
}

function invoke(body: JsonObject, { number, isStream }: Call, behaviour: Behaviour): SimulatedResponse {
  const prompt = listOr(body['prompt']).map((turn) => objectOr(turn)['content'])
  const speech = generationFor({ ...plainRequest, prompt }, behaviour)
  const promptTokens = behaviour.promptTokens ?? promptTokensOf(prompt)
  const counted = plainCounted(promptTokens, speech.completionTokens, behaviour)
  const responseId = `zhipu-sim${number}`
  const about = {
    request_id: responseId,
    task_id: responseId,
    task_status: 'SUCCESS',
    ...(counted.reported === undefined ? {} : { usage: counted.reported }),
  }
  const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
  if (!isStream) {
    const choices = [{ role: 'assistant', content: JSON.stringify(speech.pieces.join('')) }]
    return whole({ code: 200, msg: 'ok', data: { ...about, choices }, success: true }, counted, responseId)
  }
  const events = pieces.map((piece) => eventOf('add', piece))
  return { kind: 'stream', events, last: eventOf('finish', '', about), counted, responseId, framing }
}

const eventOf = (name: string, text: string, meta?: JsonObject): StreamEvent => ({
  name,
  data: JSON.stringify({ text, ...(meta ? { meta } : {}) }),
})

/** Server-sent events whose data is a mere text, with a field `meta` of its own. */
const framing: Framing = {
  contentType: 'text/event-stream;charset=UTF-8',
  frame({ name = 'add', data }, { crlf }) {
    const { text, meta } = objectOr(parseJson(data))
    const lines = [
      `event:${name}`,
      'id:1',
      ...textOr(text, '')
        .split('\n')
        .map((line) => `data:${line}`),
      ...(meta === undefined ? [] : [`meta:${JSON.stringify(meta)}`]),
      '',
      '',
    ]
    return Buffer.from(lines.join(crlf ? '\r\n' : '\n'))
  },
  createMalformedEvent: () => Buffer.from('event:error\ndata:{"code":\n\n'),
}
