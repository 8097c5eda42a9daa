import Anthropic from '@anthropic-ai/sdk'

import type { ClientResponse, ModelRequest, SdkClient, Turn } from '../sdk-client'

const ends: Readonly<Record<string, ClientResponse['ended']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tools',
  refusal: 'refusal',
}

export function anthropicClient(url: string, apiKey: string): SdkClient {
  const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
  return {
    name: '@anthropic-ai/sdk · messages',
    async call(request) {
      const body = bodyOf(request)
      if (!request.stream) return response(await client.messages.create(body))
      return response(await client.messages.stream(body).finalMessage())
    },
    async leave(request) {
      const stream = await client.messages.create({ ...bodyOf(request), stream: true })
      for await (const event of stream) if (event.type === 'content_block_delta') break
    },
  }
}

function bodyOf(request: ModelRequest): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model: request.model,
    ...(request.system !== undefined && { system: request.system }),
    messages: request.turns.map(messageOf),
    max_tokens: request.maxTokens,
    ...(request.tools && {
      tools: request.tools.map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: { type: 'object' as const, ...schema },
      })),
    }),
    ...(request.thinking && { thinking: { type: 'enabled' as const, budget_tokens: request.thinking } }),
    ...(request.schema && { output_config: { format: { type: 'json_schema' as const, schema: request.schema } } }),
    ...(request.stop && { stop_sequences: [...request.stop] }),
  }
}

function messageOf(turn: Turn): Anthropic.MessageParam {
  if (turn.from === 'tools') {
    return {
      role: 'user',
      content: turn.results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    }
  }
  const text = turn.text === '' ? [] : [{ type: 'text' as const, text: turn.text }]
  if (turn.from === 'model') {
    const calls = (turn.calls ?? []).map(({ id, name, args }) => ({ type: 'tool_use' as const, id, name, input: args }))
    return { role: 'assistant', content: [...text, ...calls] }
  }
  return { role: 'user', content: turn.image ? [...text, { type: 'image', source: sourceOf(turn.image) }] : turn.text }
}

function sourceOf(url: string): Anthropic.Base64ImageSource {
  const [head = '', data = ''] = url.split(';base64,')
  if (head !== 'data:image/png') throw new TypeError('Only PNG')
  return { type: 'base64', media_type: 'image/png', data }
}

function response({ content, stop_reason: reason, usage }: Anthropic.Message): ClientResponse {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thoughts: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, args: { ...Object(block.input) } }] : [],
    ),
    ended: ends[reason ?? ''] ?? 'other',
    usage: {
      prompt: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      completion: usage.output_tokens,
    },
  }
}
