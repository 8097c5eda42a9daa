import { describe, expect, test } from 'bun:test'

import { dialects } from '../../dialects'
import type { JsonObject } from '../../core/json'
import type { NeutralCall } from '../../core/neutral/call'
import type { AnswerEvent } from '../../core/neutral/events'
import { aCall, joinDeltas, noSampling } from '../../core/neutral/test/fixtures'
import { noUsage } from '../../core/usage'
import { bedrockConverseCodec as codec } from './dialect'

const dialect = dialects['bedrock-converse']
const text = (words: string) => [{ kind: 'text', text: words } as const]
const weather = {
  kind: 'function',
  name: 'weather',
  description: 'Tells it',
  schema: { type: 'object' },
  isStrict: null,
} as const
const nova = 'us.amazon.nova-pro-v1:0'

function writeCall(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  return { body: codec.writeCall(aCall({ model: nova, ...change }), (what) => warnings.push(what)), warnings }
}

/** What is read of events, by name. */
function read(...events: readonly (readonly [name: string, event: JsonObject])[]): readonly AnswerEvent[] {
  const reader = codec.createReader()
  const all = events.flatMap(([name, event]) => [...reader.read({ name, data: JSON.stringify(event) })])
  return joinDeltas([...all, ...reader.end()])
}

describe('a request', () => {
  test.each([
    ['https://x/a.png', [{ text: '...' }], ['an image at an address']],
    ['data', [{ document: expect.objectContaining({ format: 'pdf' }) }, { text: '...' }], []],
  ])('a turn without a text of its own (%s) has one', (source, content, warned) => {
    const part =
      source === 'data'
        ? ({ kind: 'file', name: 'a.pdf', source: { kind: 'data', data: 'BBBB', mime: 'application/pdf' } } as const)
        : ({ kind: 'image', source: { kind: 'url', url: source } } as const)
    const { body, warnings } = writeCall({ messages: [{ role: 'user', parts: [part] }] })
    expect(body['messages']).toEqual([{ role: 'user', content }])
    expect(warnings).toEqual(warned)
  })

  test('a conversation with tools, pictures and files is written in blocks', () => {
    const { body, warnings } = writeCall({
      messages: [
        { role: 'system', parts: text('Be brief.') },
        {
          role: 'user',
          parts: [
            ...text('Look'),
            { kind: 'image', source: { kind: 'data', data: 'AAAA', mime: 'image/png' } },
            { kind: 'file', name: 'my_plan.pdf', source: { kind: 'data', data: 'BBBB', mime: 'application/pdf' } },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { kind: 'thinking', text: 'hm', signature: 'c2ln' },
            { kind: 'tool-call', id: 'a', name: 'weather', argumentsText: '{"city":"Prague"}' },
          ],
        },
        {
          role: 'user',
          parts: [{ kind: 'tool-result', callId: 'a', name: 'weather', parts: text('cold'), isError: true }],
        },
      ],
      tools: [weather],
      toolChoice: { kind: 'required' },
      sampling: { ...noSampling, maxTokens: 64, temperature: 0.5, stop: ['END'] },
    })
    expect(warnings).toEqual([])
    expect(body).toEqual({
      model: nova,
      system: [{ text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { text: 'Look' },
            { image: { format: 'png', source: { bytes: 'AAAA' } } },
            { document: { format: 'pdf', name: 'my plan pdf', source: { bytes: 'BBBB' } } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'hm', signature: 'c2ln' } } },
            { toolUse: { toolUseId: 'a', name: 'weather', input: { city: 'Prague' } } },
          ],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'cold' }], status: 'error' } }] },
      ],
      inferenceConfig: { maxTokens: 64, temperature: 0.5, stopSequences: ['END'] },
      toolConfig: {
        tools: [{ toolSpec: { name: 'weather', description: 'Tells it', inputSchema: { json: { type: 'object' } } } }],
        toolChoice: { any: {} },
      },
    })
  })

  test('tools that were called are declared where the request has none, and ids are short', () => {
    const id = 'call_'.padEnd(90, 'x')
    const { body } = writeCall({
      messages: [
        { role: 'user', parts: text('hi') },
        { role: 'assistant', parts: [{ kind: 'tool-call', id, name: 'weather', argumentsText: '{}' }] },
        { role: 'user', parts: [{ kind: 'tool-result', callId: id, name: 'weather', parts: [], isError: false }] },
      ],
    })
    expect(body['toolConfig']).toEqual({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
    })
    const ids = [...JSON.stringify(body).matchAll(/"toolUseId":"([^"]*)"/g)].map(([, one = '']) => one)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]?.length).toBeLessThanOrEqual(64)
  })

  test('the end of a prefix is marked for Amazon’s models alone', () => {
    const messages = [{ role: 'user', parts: [{ kind: 'text', text: 'hi', cache: '5m' }] }] as const
    const content = (model: string) => JSON.stringify(writeCall({ model, messages }).body['messages'])
    expect(content(nova)).toBe('[{"role":"user","content":[{"text":"hi"},{"cachePoint":{"type":"default"}}]}]')
    expect(content('meta.llama4-maverick-17b-instruct-v1:0')).toBe('[{"role":"user","content":[{"text":"hi"}]}]')
  })

  const thinking = { isEnabled: true, effort: null, budgetTokens: null, isShown: null, summary: null }

  test.each([
    ['low', {}, 'low', []],
    ['high', { temperature: 0.2 }, 'high', ['temperature']],
    ['max', { maxTokens: 99 }, 'medium', ['the effort max beside a limit of the answer']],
  ] as const)('Nova 2 thinks at the effort %s with %j as %s', (effort, sampling, maxReasoningEffort, left) => {
    const { body, warnings } = writeCall({
      model: 'global.amazon.nova-2-lite-v1:0',
      thinking: { ...thinking, effort },
      sampling: { ...noSampling, ...sampling },
    })
    expect(body['additionalModelRequestFields']).toEqual({ reasoningConfig: { type: 'enabled', maxReasoningEffort } })
    expect(warnings).toEqual([...left])
  })

  test('what Converse has no word for is left out and named', () => {
    const { body, warnings } = writeCall({
      thinking,
      sampling: { ...noSampling, topK: 5, seed: 1 },
      toolChoice: { kind: 'none' },
      tools: [
        weather,
        { kind: 'built-in', tool: 'web-search', own: { dialect: 'openai-chat', value: { type: 'web_search' } } },
      ],
      messages: [
        {
          role: 'user',
          parts: [...text('hi'), { kind: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } }],
        },
      ],
    })
    expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'toolConfig'])
    expect(warnings.sort()).toEqual([
      'an image at an address',
      'seed',
      'that no tool may be called',
      'the built-in tool web_search',
      'thinking',
      'top_k',
    ])
  })

  test('a format is asked for in words', () => {
    const output = { kind: 'json' } as const
    expect(JSON.stringify(writeCall({ output }).body['system'])).toContain('one JSON object')
  })
})

const usage = { inputTokens: 5, outputTokens: 3, totalTokens: 12, cacheReadInputTokens: 4 }
const counted = { ...noUsage, promptTokens: 9, completionTokens: 3, cachedTokens: 4 }

describe('an answer', () => {
  const whole = (content: readonly JsonObject[], stopReason = 'end_turn') =>
    codec.readAnswer({ output: { message: { role: 'assistant', content } }, stopReason, usage })

  test('thoughts, words and calls are the same in a whole answer and in a stream', () => {
    const events = read(
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'hm' } } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'c2ln' } } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'It ' } }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'is.' } }],
      ['contentBlockStop', { contentBlockIndex: 1 }],
      ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'a', name: 'weather' } } }],
      ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"city":' } } }],
      ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '"Prague"}' } } }],
      ['contentBlockStop', { contentBlockIndex: 2 }],
      ['messageStop', { stopReason: 'tool_use' }],
      ['metadata', { usage, metrics: { latencyMs: 5 } }],
    )
    expect(events).toEqual(
      joinDeltas([
        ...whole(
          [
            { reasoningContent: { reasoningText: { text: 'hm', signature: 'c2ln' } } },
            { text: 'It is.' },
            { toolUse: { toolUseId: 'a', name: 'weather', input: { city: 'Prague' } } },
          ],
          'tool_use',
        ),
      ]),
    )
    expect(events).toContainEqual({ type: 'usage', usage: counted })
    expect(events).toContainEqual(expect.objectContaining({ type: 'choice-end', reason: 'tool-calls' }))
  })

  // `TokenUsage.cacheDetails`, in the types of @aws-sdk/client-bedrock-runtime 3.1164.0
  test('what is written for an hour is told from what is written for five minutes', () => {
    const cacheDetails = [
      { ttl: '1h', inputTokens: 20 },
      { ttl: '5m', inputTokens: 10 },
    ]
    const written = { inputTokens: 5, outputTokens: 3, cacheWriteInputTokens: 30, cacheDetails }
    expect(
      codec.readAnswer({ output: { message: { content: [] } }, stopReason: 'end_turn', usage: written }),
    ).toContainEqual({
      type: 'usage',
      usage: { ...noUsage, promptTokens: 35, completionTokens: 3, cacheWriteTokens: 10, cacheWriteHourTokens: 20 },
    })
  })

  test.each([
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop-sequence'],
    ['guardrail_intervened', 'refusal'],
    ['content_filtered', 'refusal'],
    ['model_context_window_exceeded', 'context-window'],
    ['later_reason', 'other'],
  ])('an answer that ends with %s ends with %s', (word, reason) => {
    expect(whole([{ text: 'a' }], word)).toContainEqual(expect.objectContaining({ type: 'choice-end', reason }))
  })

  test.each(['malformed_tool_use', 'malformed_model_output'])(
    'an answer that ends with %s has failed',
    (stopReason) => {
      const failure = expect.objectContaining({ type: 'failure', error: expect.objectContaining({ status: 502 }) })
      expect(read(['messageStart', {}], ['messageStop', { stopReason }])).toContainEqual(failure)
      expect(dialect.readAnswer({ output: { message: { content: [] } }, stopReason, usage }).error?.code).toBe(
        stopReason,
      )
    },
  )

  test('an answer without an output is an error with the words it has', () => {
    expect(dialect.readAnswer({ message: 'The model is busy.' }).error?.message).toBe('The model is busy.')
    expect(dialect.readError(429, '{"message":"Too many requests."}').message).toBe('Too many requests.')
  })
})
