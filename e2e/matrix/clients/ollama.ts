import { Ollama, type ChatRequest, type ChatResponse, type Message } from 'ollama'

import type { ClientResponse, ModelRequest, SdkClient, Turn } from '../sdk-client'

const ends: Readonly<Record<string, ClientResponse['ended']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refusal',
}

export function ollamaClient(url: string, key: string): SdkClient {
  const client = new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } })
  return {
    name: 'ollama · chat',
    async call(request) {
      const body = bodyOf(request)
      try {
        if (!request.stream) return response([await client.chat(body)])
        return response(await Array.fromAsync(await client.chat({ ...body, stream: true })))
      } catch (error) {
        // The status has another name here.
        if (error instanceof Error && 'status_code' in error) Object.assign(error, { status: error.status_code })
        throw error
      }
    },
    async leave(request) {
      for await (const _ of await client.chat({ ...bodyOf(request), stream: true })) break
      client.abort()
    },
  }
}

const bodyOf = (request: ModelRequest): ChatRequest & { readonly stream?: false } => ({
  model: request.model,
  messages: [
    ...(request.system === undefined ? [] : [{ role: 'system', content: request.system }]),
    ...request.turns.flatMap(messagesOf),
  ],
  ...(request.tools && {
    tools: request.tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: { ...schema } },
    })),
  }),
  ...(request.thinking && { think: true }),
  ...(request.schema && { format: request.schema }),
  options: { num_predict: request.maxTokens, ...(request.stop && { stop: [...request.stop] }) },
})

function messagesOf(turn: Turn): Message[] {
  if (turn.from === 'tools')
    return turn.results.map(({ name, text }) => ({ role: 'tool', tool_name: name, content: text }))
  if (turn.from === 'user') {
    const [, data] = turn.image?.split(';base64,') ?? []
    return [{ role: 'user', content: turn.text, ...(data !== undefined && { images: [data] }) }]
  }
  const calls = turn.calls?.map(({ name, args }) => ({ function: { name, arguments: { ...args } } }))
  return [{ role: 'assistant', content: turn.text, ...(calls && { tool_calls: calls }) }]
}

function response(lines: readonly ChatResponse[]): ClientResponse {
  const last = lines.at(-1)
  const calls = lines.flatMap(({ message }) => message.tool_calls ?? [])
  const ended = ends[last?.done_reason ?? ''] ?? 'other'
  return {
    text: lines.map(({ message }) => message.content).join(''),
    thoughts: lines.map(({ message }) => message.thinking ?? '').join(''),
    calls: calls.map(({ function: { name, arguments: args } }) => ({ name, args })),
    ended: ended === 'stop' && calls.length > 0 ? 'tools' : ended,
    usage: { prompt: last?.prompt_eval_count ?? 0, completion: last?.eval_count ?? 0 },
  }
}
