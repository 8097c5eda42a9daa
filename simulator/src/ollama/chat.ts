import { whole, type SimulatedResponse } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import { plainRequest } from '../generation-request'
import { generationFor } from '../generation'
import { listOr, objectOr, textOr, type JsonObject } from '../json'
import { plainCounted, promptTokensOf } from '../usage-report'
import type { Framing } from '../wire'

/** One JSON text a line. */
const lines: Framing = {
  contentType: 'application/x-ndjson',
  frame: ({ data }, { crlf }) => Buffer.from(`${data}${crlf ? '\r\n' : '\n'}`),
  createMalformedEvent: () => Buffer.from('{"message":{"content":\n'),
}

/** `POST /api/chat`. https://docs.ollama.com/api/chat */
export function chat(body: JsonObject, behaviour: Behaviour): SimulatedResponse {
  const messages = listOr(body['messages']).map(objectOr)
  const prompt = messages.map(({ content }) => content)
  const speech = generationFor(
    {
      ...plainRequest,
      prompt,
      tools: listOr(body['tools']).map((tool) => {
        const { name, parameters } = objectOr(objectOr(tool)['function'])
        return { name: textOr(name, 'unnamed'), schema: parameters }
      }),
      hasToolResults: messages.some(({ role }) => role === 'tool'),
      stop: listOr(objectOr(body['options'])['stop']).filter((one) => typeof one === 'string'),
    },
    behaviour,
  )
  const counted = plainCounted(behaviour.promptTokens ?? promptTokensOf(prompt), speech.completionTokens, behaviour)
  const { prompt_tokens, completion_tokens } = objectOr(counted.reported)
  const counts =
    counted.reported === undefined ? {} : { prompt_eval_count: prompt_tokens, eval_count: completion_tokens }
  const about = { model: body['model'], created_at: '2025-06-15T00:00:00.123456789Z' }
  const calls = speech.toolCalls.map((call, index) => ({
    id: `call_sim${index}`,
    function: { index, name: call.name, arguments: call.arguments },
  }))
  const called = calls.length > 0 ? { tool_calls: calls } : {}
  const isCut = speech.ending === 'length' || speech.ending === 'context-window'
  const done = { done: true, done_reason: isCut ? 'length' : 'stop', total_duration: 14_143_917, ...counts }
  if (body['stream'] === false)
    return whole(
      { ...about, message: { role: 'assistant', content: speech.pieces.join(''), ...called }, ...done },
      counted,
    )
  const line = (message: JsonObject, ending: JsonObject) => ({
    data: JSON.stringify({ ...about, message: { role: 'assistant', content: '', ...message }, ...ending }),
  })
  const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
  const events = pieces.map((content) => line({ content }, { done: false }))
  const withCalls = calls.length > 0 ? [...events, line(called, { done: false })] : events
  return { kind: 'stream', events: withCalls, last: line({}, done), counted, responseId: '', framing: lines }
}
