import OpenAI from 'openai'

import type { ClientResponse, ModelRequest, SdkClient, Turn } from '../sdk-client'

const ends: Readonly<Record<string, ClientResponse['ended']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  content_filter: 'refusal',
}

export function openAiChatClient(url: string, apiKey: string): SdkClient {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  return {
    name: 'openai · chat.completions',
    async call(request) {
      const body = bodyOf(request)
      if (!request.stream) return response(await client.chat.completions.create(body))
      const stream = client.chat.completions.stream({ ...body, stream: true, stream_options: { include_usage: true } })
      let thoughts = ''
      stream.on('chunk', ({ choices: [choice] }) => (thoughts += reasoningOf(choice?.delta)))
      const whole = await stream.finalChatCompletion()
      return { ...response(whole), thoughts }
    },
    async leave(request) {
      const stream = await client.chat.completions.create({ ...bodyOf(request), stream: true })
      for await (const _ of stream) break
    },
  }
}

function bodyOf(request: ModelRequest): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return {
    model: request.model,
    messages: [
      ...(request.system === undefined ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.turns.flatMap(messagesOf),
    ],
    max_completion_tokens: request.maxTokens,
    ...(request.tools && {
      tools: request.tools.map(({ name, description, schema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: schema },
      })),
    }),
    ...(request.thinking && { reasoning_effort: 'low' as const }),
    ...(request.schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'answer', schema: request.schema, strict: true },
      },
    }),
    ...(request.stop && { stop: [...request.stop] }),
  }
}

function messagesOf(turn: Turn): OpenAI.ChatCompletionMessageParam[] {
  if (turn.from === 'tools')
    return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
  if (turn.from === 'user') {
    const text = { type: 'text' as const, text: turn.text }
    return [
      {
        role: 'user',
        content: turn.image ? [text, { type: 'image_url', image_url: { url: turn.image } }] : turn.text,
      },
    ]
  }
  const { calls } = turn
  return [
    {
      role: 'assistant',
      content: turn.text || null,
      ...(calls && {
        tool_calls: calls.map(({ id, name, args }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(args) },
        })),
      }),
    },
  ]
}

function response({ choices, usage }: OpenAI.ChatCompletion): ClientResponse {
  const [choice] = choices
  const calls = choice?.message.tool_calls ?? []
  return {
    text: choice?.message.content ?? choice?.message.refusal ?? '',
    thoughts: reasoningOf(choice?.message),
    calls: calls.flatMap((call) =>
      call.type === 'function' ? [{ name: call.function.name, args: JSON.parse(call.function.arguments) }] : [],
    ),
    ended: choice?.message.refusal ? 'refusal' : (ends[choice?.finish_reason ?? ''] ?? 'other'),
    usage: { prompt: usage?.prompt_tokens ?? 0, completion: usage?.completion_tokens ?? 0 },
  }
}

/** Reads a field that vendors added and the SDK passes on. */
const reasoningOf = (message: object | undefined): string =>
  message && 'reasoning_content' in message && typeof message.reasoning_content === 'string'
    ? message.reasoning_content
    : ''
