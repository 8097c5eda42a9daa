import { plainRequest } from '../generation-request'
import type { Dialect } from '../dialect'
import { generationFor } from '../generation'
import { objectOr, type JsonObject } from '../json'
import { plainCounted, promptTokensOf } from '../usage-report'
import { Refusal } from '../simulated-response'
import type { StreamEvent } from '../wire'

/** Bots of Coze: the conversation is named in the address, the events next to their data. */
export const coze: Dialect = {
  wire: {
    errorBody: (_status, { message }) => ({ code: 5000, msg: message }),
    errorEvent: (_status, { message }) => ({ name: 'error', data: JSON.stringify({ code: 5000, msg: message }) }),
  },
  serves: ({ method, path }) => method === 'POST' && path.endsWith('/v3/chat'),
  respond({ query, json, number }, behaviour) {
    const body = objectOr(json)
    for (const name of ['bot_id', 'user_id'])
      if (typeof body[name] !== 'string') throw new Refusal(400, `Param ${name} is required`)
    if ('conversation_id' in body) throw new Refusal(400, 'Unknown param conversation_id')
    const { additional_messages: messages } = body
    const prompt = (Array.isArray(messages) ? messages : []).map((message) => objectOr(message)['content'])
    const speech = generationFor({ ...plainRequest, prompt }, behaviour)
    const counted = plainCounted(behaviour.promptTokens ?? promptTokensOf(prompt), speech.completionTokens, behaviour)
    const conversation = new URLSearchParams(query).get('conversation_id') ?? `conversation-sim${number}`
    const about = { conversation_id: conversation, bot_id: body['bot_id'] }
    const event = (name: string, members: JsonObject): StreamEvent => ({
      name: `conversation.${name}`,
      data: JSON.stringify({ ...about, created_at: 1_700_000_000, ...members }),
    })
    const message = (content: string) => ({ id: `message-sim${number}`, role: 'assistant', type: 'answer', content })
    const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
    const usage = {
      token_count: counted.promptTokens + counted.completionTokens,
      input_count: counted.promptTokens,
      output_count: counted.completionTokens,
    }
    return {
      kind: 'stream',
      events: [
        event('chat.created', { id: `chat-sim${number}`, status: 'created' }),
        ...pieces.map((piece) => event('message.delta', message(piece))),
        event('message.completed', message(pieces.join(''))),
      ],
      last: event('chat.completed', { status: 'completed', ...(counted.reported !== undefined && { usage }) }),
      counted,
      responseId: conversation,
    }
  },
}
