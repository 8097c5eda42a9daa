import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part, Thinking, Tool } from '../../../core/neutral/call'
import { readMessagesRequest } from '../request'
import { aCall, noSampling } from '../../../core/neutral/test/fixtures'
import { anthropicMessagesCodec as codec } from '../codec'

function write(change: Partial<NeutralCall> = {}): { body: JsonObject; warnings: string[] } {
  const warnings: string[] = []
  const body = codec.writeCall(aCall(change), (what) => warnings.push(what))
  readMessagesRequest(body)
  return { body, warnings }
}
const text = (value: string): Part => ({ kind: 'text', text: value })
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })
const call = (id: string): Part => ({ kind: 'tool-call', id, name: 'f', argumentsText: '{"a":1}' })
const result = (callId: string): Part => ({ kind: 'tool-result', callId, name: 'f', parts: [], isError: false })
const lookup: Tool = { kind: 'function', name: 'f', description: '', schema: {}, isStrict: null }
const thinkingOf = (change: Partial<Thinking>): Thinking => ({
  isEnabled: true,
  effort: null,
  budgetTokens: null,
  isShown: null,
  summary: null,
  ...change,
})

describe('thinking', () => {
  const sampling = (maxTokens: number) => ({ ...noSampling, maxTokens })

  test.each([
    ['a counted budget raises the limit', thinkingOf({ budgetTokens: 4000 }), 2000, 4000, 6000],
    ['a budget below the least is the least', thinkingOf({ budgetTokens: 5 }), 2000, 1024, 2000],
    ['an effort takes a share of the limit', thinkingOf({ effort: 'high' }), 4000, 3200, 4000],
    ['an effort that fits is whole', thinkingOf({ effort: 'low' }), 9000, 2048, 9000],
    ['a limit that leaves nothing is raised', thinkingOf({ effort: 'low' }), 100, 2048, 2148],
    ['nothing said is a middling effort', thinkingOf({}), 64_000, 8192, 64_000],
    ['the model’s own choice too', thinkingOf({ budgetTokens: -1 }), 64_000, 8192, 64_000],
  ] as const)('thinking is limited by a budget: %s', (_, thinking, requested, budget_tokens, max_tokens) => {
    expect(write({ thinking, sampling: sampling(requested) }).body).toMatchObject({
      thinking: { type: 'enabled', budget_tokens },
      max_tokens,
    })
  })

  test.each([
    ['claude-opus-4-6', thinkingOf({ effort: 'xhigh' }), { type: 'adaptive' }, 'max'],
    ['claude-opus-4-6', thinkingOf({ budgetTokens: 2000 }), { type: 'enabled', budget_tokens: 2000 }, undefined],
    ['claude-opus-4-7', thinkingOf({ effort: 'xhigh' }), { type: 'adaptive', display: 'summarized' }, 'xhigh'],
    ['claude-opus-4-7', thinkingOf({ budgetTokens: 5000 }), { type: 'adaptive', display: 'summarized' }, 'medium'],
    [
      'claude-opus-4-7',
      thinkingOf({ effort: 'minimal', isShown: false }),
      { type: 'adaptive', display: 'omitted' },
      'low',
    ],
    ['claude-opus-4-7', thinkingOf({ budgetTokens: -1 }), { type: 'adaptive', display: 'summarized' }, undefined],
    ['claude-sonnet-4-5', thinkingOf({ isEnabled: false }), { type: 'disabled' }, undefined],
    ['claude-sonnet-5-5', thinkingOf({ isEnabled: false }), { type: 'between_tools' }, undefined],
  ] as const)('%s takes %j as %j', (model, requested, thinking, effort) => {
    const { body } = write({ model, thinking: requested })
    expect(body['thinking']).toEqual(thinking)
    expect(body['output_config']).toEqual(effort === undefined ? undefined : { effort })
  })

  test('thinking that is switched off becomes the least effort where the model always thinks', () => {
    const { body, warnings } = write({ model: 'claude-opus-5-5', thinking: thinkingOf({ isEnabled: false }) })
    expect(body['thinking']).toBeUndefined()
    expect(body['output_config']).toEqual({ effort: 'low' })
    expect(warnings).toEqual(['that nothing is thought, which the model always does'])
  })

  test('a forced choice is left to a model that refuses it, and thinking goes on', () => {
    const { body, warnings } = write({
      model: 'claude-fable-5-2',
      thinking: thinkingOf({ effort: 'high' }),
      tools: [lookup],
      toolChoice: { kind: 'tool', name: lookup.name },
      parallelTools: false,
    })
    expect(body['thinking']).toEqual({ type: 'adaptive', display: 'summarized' })
    expect(body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(warnings).toEqual(['that a tool must be called, which the model refuses'])
  })

  test('gives way to a forced tool, to a model without it and to a turn that began without it', () => {
    const thinking = thinkingOf({ effort: 'low' })
    const going = [user(text('a')), assistant(call('t')), user(result('t'))]
    const thought: Part = { kind: 'thinking', text: 'hm', signature: 'c2ln' }
    const signed = [user(text('a')), assistant(thought, call('t')), user(result('t'))]
    const tools = [lookup]
    const collectWarnings = (change: Partial<NeutralCall>) => {
      const { body, warnings } = write({ thinking, tools, ...change })
      return body['thinking'] === undefined ? warnings : []
    }
    expect(collectWarnings({ toolChoice: { kind: 'required' } })).toEqual(['thinking beside a forced tool'])
    expect(collectWarnings({ toolChoice: { kind: 'tool', name: lookup.name } })).toEqual([
      'thinking beside a forced tool',
    ])
    expect(collectWarnings({ model: 'claude-3-5-haiku-20241022' })).toEqual(['thinking, which the model does not do'])
    expect(collectWarnings({ messages: going })).toEqual(['thinking, since the turn began without a signed thought'])
    expect(collectWarnings({ messages: signed })).toEqual([])
    expect(collectWarnings({ messages: going, model: 'claude-opus-4-7' })).toEqual([])
  })

  test('sets how tokens are drawn, as some models do by themselves', () => {
    const drawn = { ...noSampling, temperature: 0.5, topP: 0.9, topK: 5 }
    const thinking = thinkingOf({ effort: 'low' })
    const samplingOf = ({ body, warnings }: ReturnType<typeof write>) => [
      body['temperature'],
      body['top_p'],
      body['top_k'],
      warnings,
    ]
    expect(samplingOf(write({ sampling: drawn, model: 'claude-3-7-sonnet' }))).toEqual([0.5, 0.9, 5, []])
    expect(samplingOf(write({ sampling: drawn }))).toEqual([0.5, undefined, 5, ['top_p']])
    expect(samplingOf(write({ sampling: drawn, thinking }))).toEqual([
      undefined,
      undefined,
      undefined,
      ['temperature', 'top_p', 'top_k'],
    ])
    expect(
      samplingOf(
        write({
          sampling: { ...drawn, temperature: 1, topP: 0.97, topK: null },
          model: 'claude-3-7-sonnet-20250219',
          thinking,
        }),
      ),
    ).toEqual([1, 0.97, undefined, []])
    expect(samplingOf(write({ sampling: drawn, model: 'claude-opus-4-7' }))[3]).toEqual([
      'temperature',
      'top_p',
      'top_k',
    ])
    expect(samplingOf(write({ sampling: { ...noSampling, temperature: 1.7 } }))).toEqual([
      1,
      undefined,
      undefined,
      ['temperature above 1'],
    ])
  })

  test('thinking of its own clients is written in their words', () => {
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 2000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      thinking: { type: 'enabled', budget_tokens: 1500 },
      output_config: { effort: 'max' },
      container: 'c-1',
    }
    expect(codec.writeCall(codec.readCall(body, { model: '', isStream: false }), () => {})).toEqual(body)
  })
})

describe('what else is asked', () => {
  test('options with a counterpart are written', () => {
    const { body } = write({
      isStream: true,
      user: 'u-1',
      serviceTier: 'default',
      sampling: { ...noSampling, maxTokens: 5, stop: ['END', ' '] },
    })
    expect(body).toMatchObject({
      stream: true,
      max_tokens: 5,
      metadata: { user_id: 'u-1' },
      service_tier: 'standard_only',
      stop_sequences: ['END'],
    })
  })

  test('options without a counterpart cause a warning', () => {
    const { warnings } = write({
      sampling: {
        ...noSampling,
        seed: 1,
        presencePenalty: 1,
        frequencyPenalty: 1,
        choices: 2,
        hasLogProbabilities: true,
      },
      metadata: { a: 'b' },
      modalities: ['audio'],
      voice: { voice: 'v', format: 'wav' },
      serviceTier: 'flex',
    })
    expect(warnings).toHaveLength(9)
  })

  test('a form is held to, or asked for in words', () => {
    const schema = { type: 'object', properties: { a: { oneOf: [{ type: 'string', maxLength: 3 }] } } }
    const output = { kind: 'schema', name: 'x', description: '', schema, isStrict: null } as const
    expect(write({ output })).toMatchObject({
      body: {
        output_config: {
          format: {
            type: 'json_schema',
            schema: {
              type: 'object',
              properties: { a: { anyOf: [{ type: 'string', description: '{maxLength: 3}' }] } },
              additionalProperties: false,
            },
          },
        },
      },
      warnings: [],
    })
    const requested = write({ output, model: 'claude-3-5-sonnet-20241022' })
    expect(JSON.stringify(requested.body['system'])).toContain('maxLength')
    expect(requested.warnings).toHaveLength(1)
    expect(write({ output: { kind: 'json' } })).toMatchObject({
      body: { system: [{ text: expect.stringContaining('JSON object') }] },
      warnings: ['the JSON format, which is asked for in words'],
    })
  })
})

const words = fc.stringMatching(/^\w[\w ]{0,8}\w$/)
const anyPart = (role: 'user' | 'assistant'): fc.Arbitrary<Part> =>
  role === 'user'
    ? fc.oneof(
        words.map(text),
        fc
          .record({ id: words })
          .map(({ id }): Part => ({ kind: 'image', source: { kind: 'url', url: `https://a.example/${id}` } })),
        words.map((name): Part => ({
          kind: 'file',
          source: { kind: 'data', data: 'AA==', mime: 'application/pdf' },
          name,
        })),
      )
    : fc.oneof(
        words.map(text),
        words.map((signature): Part => ({ kind: 'thinking', text: 'hm', signature })),
        fc
          .record({ id: fc.stringMatching(/^[\w-]{1,9}$/), input: fc.dictionary(words, fc.jsonValue()) })
          .map(({ id, input }): Part => ({ kind: 'tool-call', id, name: 'f', argumentsText: JSON.stringify(input) })),
      )
const anyConversation = fc
  .array(
    fc.tuple(
      fc.array(anyPart('user'), { minLength: 1, maxLength: 3 }),
      fc.array(anyPart('assistant'), { minLength: 1, maxLength: 4 }),
    ),
    { maxLength: 4 },
  )
  .map((turns): Message[] => [
    ...turns.flatMap(([requested, answerParts]) => [user(...requested), assistant(...answerParts)]),
    user(text('end')),
  ])

test('a talk that is written reads back with all it says, in order', () => {
  fc.assert(
    fc.property(anyConversation, (messages) => {
      const { body, warnings } = write({ messages })
      expect(warnings).toEqual([])
      expect(codec.readCall(body, { model: '', isStream: false }).messages).toEqual(messages)
    }),
    { numRuns: 300 },
  )
})
