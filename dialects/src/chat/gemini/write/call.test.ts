import { describe, expect, test } from 'bun:test'

import type { Message, NeutralCall, Part, Thinking, Tool } from '../../../core/neutral/call'
import { objectOf } from '../../../core/neutral/read'
import { aCall, noSampling } from '../../../core/neutral/test/fixtures'
import { geminiCodec as codec } from '../codec'
import { openApiSchema } from './schema'

function write(change: Partial<NeutralCall>, model = 'gemini-2.5-flash') {
  const warnings: string[] = []
  const body = codec.writeCall(aCall({ model, ...change }), (what) => warnings.push(what))
  return { body, warnings }
}
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const model = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
const text = (value: string): Part => ({ kind: 'text', text: value })
const call = (id: string, more: object = {}): Part => ({
  kind: 'tool-call',
  id,
  name: 'f',
  argumentsText: '{"a":1}',
  ...more,
})
const result = (callId: string, value: string, more: object = {}): Part => ({
  kind: 'tool-result',
  callId,
  name: '',
  parts: [{ kind: 'text', text: value }],
  isError: false,
  ...more,
})
const contentsOf = (messages: readonly Message[], name?: string) => write({ messages }, name).body['contents']
const tool: Extract<Tool, { kind: 'function' }> = {
  kind: 'function',
  name: 'f',
  description: 'd',
  schema: { type: 'object', properties: { a: { type: 'string', format: 'uri', default: 'x' } } },
  isStrict: null,
}

describe('messages', () => {
  test('instructions go to the top, turns of a speaker become one, and the user begins', () => {
    const { body } = write({
      messages: [
        { role: 'system', parts: [text('one')] },
        model(text('a')),
        model(text('b')),
        { role: 'developer', parts: [text('two')] },
        user(text('c')),
      ],
    })
    expect(body['systemInstruction']).toEqual({ parts: [{ text: 'one' }, { text: 'two' }] })
    expect(body['contents']).toEqual([
      { role: 'user', parts: [{ text: '...' }] },
      { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'user', parts: [{ text: 'c' }] },
    ])
    expect(contentsOf([{ role: 'system', parts: [text('one')] }])).toEqual([{ role: 'user', parts: [{ text: '...' }] }])
  })

  test('results come first, in the order of their calls, by the names of these', () => {
    const contents = contentsOf([
      user(text('hi')),
      model(call('call_1'), call('abc', { name: 'g' }), call('call_3')),
      user(
        text('and'),
        result('call_3', '{"ok":true}'),
        result('call_1', 'one'),
        result('abc', 'no', { isError: true }),
      ),
    ])
    expect(contents).toMatchObject([
      {},
      { parts: [{ functionCall: { name: 'f' } }, { functionCall: { id: 'abc' } }, {}] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'one' } } },
          { functionResponse: { id: 'abc', name: 'g', response: { error: 'no' } } },
          { functionResponse: { name: 'f', response: { ok: true } } },
          { text: 'and' },
        ],
      },
    ])
    expect(JSON.stringify(contents)).not.toContain('call_')
  })

  test('newer models want signatures of calls, and take pictures within results', () => {
    const conversation = [
      user(text('hi')),
      model(call('call_1'), call('call_2')),
      user(
        result('call_1', 'one', {
          parts: [{ kind: 'image', source: { kind: 'data', data: 'AA', mime: 'image/png' } }],
        }),
        result('call_2', 'two'),
      ),
      model(call('call_3', { signature: 'c2ln' })),
    ]
    const inlineData = { mimeType: 'image/png', data: 'AA' }
    expect(contentsOf(conversation, 'gemini-3-pro-preview')).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'skip_thought_signature_validator' },
          { functionCall: { name: 'f', args: { a: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: {}, parts: [{ inlineData }] } },
          { functionResponse: { name: 'f', response: { output: 'two' } } },
        ],
      },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }] },
    ])
    const older = contentsOf(conversation)
    expect(JSON.stringify(older)).not.toContain('skip_')
    expect(older).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: {} }, { functionResponse: {} }, { inlineData }] },
      { parts: [{ thoughtSignature: 'c2ln' }] },
    ])
  })

  test('thoughts keep signatures of the vendor and lose those of others', () => {
    const { body, warnings } = write({
      messages: [
        user(text('hi')),
        model({ kind: 'thinking', text: 'hm', signature: 'claude' }, text('a'), {
          kind: 'thinking',
          text: '',
          signature: 'c2ln',
          isRedacted: true,
        }),
      ],
    })
    expect(body['contents']).toMatchObject([
      {},
      { parts: [{ text: 'hm', thought: true }, { text: 'a' }, { text: '', thoughtSignature: 'c2ln' }] },
    ])
    expect(JSON.stringify(body)).not.toContain('claude')
    expect(warnings).toEqual(["another vendor's signature of a thought"])
  })

  test('media goes whole, by address or by the name the vendor gave it', () => {
    const { body, warnings } = write({
      messages: [
        user(
          { kind: 'image', source: { kind: 'data', data: 'AA', mime: 'image/jpg' } },
          { kind: 'image', source: { kind: 'url', url: 'https://a/b.webp?x=1' } },
          { kind: 'file', source: { kind: 'data', data: 'AA', mime: 'application/json' } },
          { kind: 'video', source: { kind: 'id', id: 'files/1' } },
          { kind: 'file', source: { kind: 'id', id: 'file-abc' } },
        ),
      ],
    })
    expect(body['contents']).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/jpeg', data: 'AA' } },
          { fileData: { mimeType: 'image/webp', fileUri: 'https://a/b.webp?x=1' } },
          { inlineData: { mimeType: 'text/plain', data: 'AA' } },
          { fileData: { fileUri: 'files/1' } },
        ],
      },
    ])
    expect(warnings).toEqual(['file of another vendor'])
  })
})

describe('tools', () => {
  test('tools have JSON schemas, a subset for the oldest models', () => {
    expect(write({ tools: [tool] }).body['tools']).toEqual([
      {
        functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: tool.schema }],
      },
    ])
    expect(write({ tools: [tool] }, 'gemini-1.5-pro').body['tools']).toEqual([
      {
        functionDeclarations: [
          { name: 'f', description: 'd', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
        ],
      },
    ])
    expect(write({ tools: [{ ...tool, schema: { type: 'object', properties: {} } }] }).body['tools']).toEqual([
      { functionDeclarations: [{ name: 'f', description: 'd' }] },
    ])
  })

  test("the vendor's own are asked for by kind or by name, and not beside functions", () => {
    const search: Tool = { kind: 'built-in', tool: 'web-search', own: { dialect: 'openai-chat', value: {} } }
    const named: Tool = { ...tool, name: 'codeExecution' }
    const other: Tool = { kind: 'built-in', tool: 'image-generation', own: { dialect: 'x', value: {} } }
    expect(write({ tools: [search, named, other], toolChoice: { kind: 'auto' } })).toMatchObject({
      body: { tools: [{ googleSearch: {} }, { codeExecution: {} }] },
      warnings: ['the built-in tool image-generation'],
    })
    const mixed = write({ tools: [search, tool] })
    expect(mixed.body['tools']).toHaveLength(1)
    expect(mixed.warnings).toEqual(['the built-in tool web-search beside functions'])
  })

  test.each([
    [{ kind: 'auto' }, { mode: 'AUTO' }],
    [{ kind: 'none' }, { mode: 'NONE' }],
    [{ kind: 'required' }, { mode: 'ANY' }],
    [
      { kind: 'required', among: ['f'] },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
    [
      { kind: 'tool', name: 'f' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
  ] as const)('the choice %j', (toolChoice, functionCallingConfig) => {
    expect(write({ tools: [tool], toolChoice }).body['toolConfig']).toEqual({ functionCallingConfig })
    expect(write({ toolChoice }).body['toolConfig']).toBeUndefined()
  })

  test('a request without tools has no member for them, also when it asks for one call at a time', () => {
    const { body, warnings } = write({ parallelTools: false })
    expect([Object.keys(body), warnings]).toEqual([['contents'], []])
    expect(write({ parallelTools: false, tools: [tool] }).warnings).toEqual(['one call at a time'])
  })

  test('schemas lose what the oldest models have no word for', () => {
    expect(
      openApiSchema({
        $schema: 'x',
        type: ['object', 'null'],
        additionalProperties: false,
        $defs: { leaf: { type: 'string', format: 'date-time', const: 'x' } },
        properties: {
          a: { $ref: '#/$defs/leaf', description: 'A' },
          b: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
          c: { type: ['string', 'number'] },
          d: { type: 'array' },
          e: { allOf: [{ type: 'number' }, { minimum: 1 }], exclusiveMaximum: 3 },
          f: { type: 'integer', enum: [1, 2] },
        },
        required: ['a', 'gone'],
      }),
    ).toEqual({
      type: 'object',
      nullable: true,
      properties: {
        a: { type: 'string', format: 'date-time', enum: ['x'], description: 'A' },
        b: { type: 'integer', nullable: true },
        c: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        d: { type: 'array', items: {} },
        e: { type: 'number', minimum: 1 },
        f: { type: 'integer' },
      },
      required: ['a'],
    })
  })

  test('schemas that hold themselves are written as far as is of use', () => {
    const names = Array.from({ length: 20 }, (_value, at) => [`p${at}`, { $ref: '#' }])
    const endless = { type: 'object', properties: Object.fromEntries(names) }
    expect(JSON.stringify(openApiSchema(endless)).length).toBeLessThan(500_000)
  })
})

describe('options', () => {
  const unsaid = { isEnabled: true, effort: null, budgetTokens: null, isShown: null, summary: null } as const
  const thinkingOf = (thinking: Partial<Thinking>, name: string) =>
    objectOf(write({ thinking: { ...unsaid, ...thinking } }, name).body['generationConfig'])['thinkingConfig']

  test.each([
    ['gemini-2.5-flash', { effort: 'medium' }, { thinkingBudget: 8192, includeThoughts: true }],
    ['gemini-2.5-flash', { budgetTokens: 99_999 }, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-flash', { budgetTokens: -1, isShown: false }, { thinkingBudget: -1, includeThoughts: false }],
    ['gemini-2.5-flash', { isEnabled: false }, { thinkingBudget: 0 }],
    ['gemini-2.5-flash-lite', { budgetTokens: 1 }, { thinkingBudget: 512, includeThoughts: true }],
    ['gemini-2.5-pro', { isEnabled: false }, { thinkingBudget: 128 }],
    ['gemini-2.5-pro', {}, { includeThoughts: true }],
    ['gemini-3-pro-preview', { effort: 'medium' }, { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3.1-pro-preview', { effort: 'medium' }, { thinkingLevel: 'medium', includeThoughts: true }],
    ['gemini-3-flash-preview', { isEnabled: false }, { thinkingLevel: 'minimal' }],
    ['gemini-3-flash-preview', { effort: 'xhigh' }, { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3-pro-preview', { budgetTokens: 1000 }, { thinkingLevel: 'low', includeThoughts: true }],
    // https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking
    ['gemini-3.8-flash', { isEnabled: false }, { thinkingLevel: 'low' }],
    ['gemini-3.7-flash', { effort: 'minimal' }, { thinkingLevel: 'low', includeThoughts: true }],
    ['gemini-3.5-flash-lite', { isEnabled: false }, { thinkingLevel: 'minimal' }],
    ['gemini-flash-latest', { isEnabled: false }, { thinkingLevel: 'low' }],
    ['gemini-2.0-flash', { effort: 'low' }, undefined],
    ['gemini-2.5-flash-image', { effort: 'low' }, undefined],
  ] as const)('%s thinks %j', (name, thinking, expected) => {
    expect(thinkingOf(thinking, name)).toEqual(expected)
  })

  test('draw tokens within what the vendor allows', () => {
    const { body, warnings } = write({
      sampling: {
        ...noSampling,
        maxTokens: 10,
        temperature: 0,
        topP: 0.5,
        topK: 3,
        seed: 2 ** 40,
        presencePenalty: 0,
        frequencyPenalty: 1,
        stop: ['1', '2', '3', '4', '5', '6'],
        choices: 9,
        hasLogProbabilities: true,
        topLogProbabilities: 2,
      },
    })
    expect(body['generationConfig']).toEqual({
      maxOutputTokens: 10,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      frequencyPenalty: 1,
      stopSequences: ['1', '2', '3', '4', '5'],
      candidateCount: 8,
      responseLogprobs: true,
      logprobs: 2,
    })
    expect(warnings).toEqual(['more than 5 stop sequences', 'more than 8 choices', 'a seed of more than 32 bits'])
    expect(write({}).body['generationConfig']).toBeUndefined()
  })

  test('hold an answer to a form, or ask for it where that excludes tools', () => {
    const output = { kind: 'schema', name: 'n', description: '', schema: { type: 'object' }, isStrict: true } as const
    const held = { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } }
    expect(write({ output }).body['generationConfig']).toEqual(held)
    expect(write({ output, tools: [tool] }, 'gemini-3-pro-preview').body['generationConfig']).toEqual(held)
    const requested = write({ output, tools: [tool] })
    expect(requested.body['generationConfig']).toBeUndefined()
    expect(JSON.stringify(requested.body['systemInstruction'])).toContain('JSON schema: {')
    expect(requested.warnings).toHaveLength(1)
    expect(write({ output: { kind: 'json' } }).body['generationConfig']).toEqual({
      responseMimeType: 'application/json',
    })
  })

  test('sound, pictures, tiers and members of its own', () => {
    expect(write({ modalities: ['image'] }).body['generationConfig']).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
    expect(write({ modalities: ['audio'], voice: { voice: 'Kore', format: 'wav' } }).body['generationConfig']).toEqual({
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    })
    const generationConfig = { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } } }
    const own = { dialect: 'gemini', members: { generationConfig } }
    expect(write({ modalities: ['audio'], voice: { voice: 'Kore', format: 'wav' }, own }).body).toMatchObject({
      generationConfig,
    })
    expect(write({ serviceTier: 'flex' }).body['serviceTier']).toBe('flex')
    expect(write({ serviceTier: 'default', metadata: { a: 'b' } })).toMatchObject({ warnings: ['metadata'] })
    const members = { safetySettings: [1], cachedContent: 'c', generationConfig: { mediaResolution: 'X' } }
    const sampling = { ...noSampling, temperature: 1 }
    expect(write({ own: { dialect: 'gemini', members }, sampling }).body).toMatchObject({
      ...members,
      generationConfig: { mediaResolution: 'X', temperature: 1 },
    })
    expect(write({ own: { dialect: 'openai-chat', members } }).body['safetySettings']).toBeUndefined()
  })
})
