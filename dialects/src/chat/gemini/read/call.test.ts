import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../../core/json'
import { geminiCodec as codec } from '../codec'

const pathContext = { model: 'gemini-2.5-pro', isStream: true }
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const read = (more: JsonObject) => codec.readCall({ contents, ...more }, pathContext)
const messages = (...turns: readonly JsonObject[]) => read({ contents: turns }).messages

describe('a request that is read', () => {
  test('reads path and configuration in either spelling', () => {
    const config = {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 100,
      stopSequences: ['x'],
      candidateCount: 2,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      responseLogprobs: true,
      logprobs: 3,
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    }
    const snake = Object.fromEntries(
      Object.entries(config).map(([name, value]) => [
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
    )
    const { sampling, ...rest } = read({ generationConfig: config, safetySettings: [] })
    expect(rest).toMatchObject({ model: 'gemini-2.5-pro', isStream: true })
    expect(sampling).toEqual({
      maxTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stop: ['x'],
      choices: 2,
      hasLogProbabilities: true,
      topLogProbabilities: 3,
    })
    expect(read({ generation_config: snake }).sampling).toEqual(sampling)
    expect(rest.own?.members).toEqual({
      safetySettings: [],
      generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
    })
  })

  test('a context that the vendor keeps is refused in either spelling', () => {
    for (const name of ['cachedContent', 'cached_content'])
      expect(() => read({ [name]: 'cachedContents/1' })).toThrow('cachedContent')
  })

  test.each([
    [{ thinkingBudget: 0 }, { isEnabled: false, effort: null, budgetTokens: 0, isShown: null }],
    [
      { thinkingBudget: -1, includeThoughts: true },
      { isEnabled: true, budgetTokens: -1, isShown: true },
    ],
    [{ thinkingBudget: 512 }, { isEnabled: true, effort: null, budgetTokens: 512 }],
    [{ thinking_level: 'HIGH' }, { isEnabled: true, effort: 'high', budgetTokens: null }],
    [{ includeThoughts: false }, null],
  ])('thinking %j', (thinkingConfig, expected) => {
    const { thinking } = read({ generationConfig: { thinkingConfig } })
    if (expected === null) expect(thinking).toBeNull()
    else expect(thinking).toMatchObject(expected)
  })

  test('a response schema of Gemini becomes the format of the answer', () => {
    const json = { responseMimeType: 'application/json' }
    const output = (config: JsonObject) => read({ generationConfig: { ...json, ...config } }).output
    expect(output({})).toEqual({ kind: 'json' })
    const responseJsonSchema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }
    expect(output({ responseJsonSchema })).toMatchObject({ kind: 'schema', schema: responseJsonSchema })
    const responseSchema = {
      type: 'OBJECT',
      properties: {
        a: { type: 'ARRAY', items: { type: 'STRING', format: 'enum', enum: ['x'] }, minItems: '1' },
        b: { type: 'NUMBER', nullable: true },
      },
      required: ['a'],
      propertyOrdering: ['a', 'b'],
    }
    expect(output({ responseSchema })).toMatchObject({
      schema: {
        type: 'object',
        properties: {
          a: { type: 'array', items: { type: 'string', enum: ['x'] }, minItems: 1 },
          b: { type: ['number', 'null'] },
        },
        required: ['a'],
      },
    })
    expect(read({ generationConfig: { responseJsonSchema } }).output).toBeNull()
  })

  test('reads functions and the vendor’s tools', () => {
    const { tools } = read({
      tools: [
        {
          function_declarations: [
            { name: 'f', description: 'd', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
            { name: 'g', parametersJsonSchema: { type: 'object', additionalProperties: false } },
            { name: 'h' },
          ],
        },
        { google_search: {} },
        { codeExecution: {}, urlContext: {}, googleMaps: { x: 1 } },
      ],
    })
    const plain = { type: 'object', properties: {} }
    expect(tools).toEqual([
      {
        kind: 'function',
        name: 'f',
        description: 'd',
        schema: { type: 'object', properties: { a: { type: 'string' } } },
        isStrict: null,
      },
      {
        kind: 'function',
        name: 'g',
        description: '',
        schema: { ...plain, additionalProperties: false },
        isStrict: null,
      },
      { kind: 'function', name: 'h', description: '', schema: plain, isStrict: null },
      { kind: 'built-in', tool: 'web-search', own: { dialect: 'gemini', value: { googleSearch: {} } } },
      { kind: 'built-in', tool: 'code-execution', own: { dialect: 'gemini', value: { codeExecution: {} } } },
      { kind: 'built-in', tool: 'web-fetch', own: { dialect: 'gemini', value: { urlContext: {} } } },
      { kind: 'built-in', tool: 'other', own: { dialect: 'gemini', value: { googleMaps: { x: 1 } } } },
    ])
  })

  test.each([
    [{ mode: 'AUTO' }, { kind: 'auto' }],
    [{ mode: 'VALIDATED' }, { kind: 'auto' }],
    [{ mode: 'NONE' }, { kind: 'none' }],
    [{ mode: 'ANY' }, { kind: 'required' }],
    [
      { mode: 'ANY', allowedFunctionNames: ['f'] },
      { kind: 'tool', name: 'f' },
    ],
    [
      { mode: 'any', allowed_function_names: ['f', 'g'] },
      { kind: 'required', among: ['f', 'g'] },
    ],
    [{}, null],
  ] as const)('chooses among them: %j', (functionCallingConfig, expected) => {
    expect(read({ toolConfig: { functionCallingConfig } }).toolChoice).toEqual(expected)
  })

  test('shows pictures, sounds, films and files, whole or by address', () => {
    const [message] = messages({
      parts: [
        { inline_data: { mime_type: 'image/png', data: 'AA' } },
        { inlineData: { mimeType: 'audio/mp3', data: 'AA' } },
        { fileData: { mimeType: 'image/jpeg', fileUri: 'https://a/b.jpg' } },
        { fileData: { fileUri: 'https://youtu.be/x' }, videoMetadata: { fps: 1 } },
        { fileData: { mimeType: 'application/pdf', fileUri: 'gs://b/c.pdf' } },
        { inlineData: { mimeType: 'application/pdf', data: 'AA', displayName: 'c.pdf' } },
      ],
    })
    expect(message).toEqual({
      role: 'user',
      parts: [
        { kind: 'image', source: { kind: 'data', data: 'AA', mime: 'image/png' } },
        { kind: 'audio', source: { kind: 'data', data: 'AA', mime: 'audio/mp3' } },
        { kind: 'image', source: { kind: 'url', url: 'https://a/b.jpg', mime: 'image/jpeg' } },
        { kind: 'video', source: { kind: 'url', url: 'https://youtu.be/x' } },
        { kind: 'file', source: { kind: 'id', id: 'gs://b/c.pdf' } },
        { kind: 'file', source: { kind: 'data', data: 'AA', mime: 'application/pdf' }, name: 'c.pdf' },
      ],
    })
  })

  test('matches calls and results with and without ids', () => {
    const conversation = messages(
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'f', args: { a: 2 } } },
          { functionCall: { id: 'own', name: 'g' } },
        ],
      },
      {
        role: 'function',
        parts: [
          { functionResponse: { id: 'own', response: { result: [1] } } },
          { functionResponse: { name: 'f', response: { output: 'one' } } },
          {
            functionResponse: {
              name: 'f',
              response: { error: 'no' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }],
            },
          },
        ],
      },
    )
    expect(conversation[1]?.parts).toMatchObject([
      { kind: 'tool-call', id: 'call_1_0', argumentsText: '{"a":1}', signature: 'c2ln' },
      { kind: 'tool-call', id: 'call_1_1', argumentsText: '{"a":2}' },
      { kind: 'tool-call', id: 'own', name: 'g', argumentsText: '{}' },
    ])
    expect(conversation[2]).toEqual({
      role: 'user',
      parts: [
        {
          kind: 'tool-result',
          callId: 'own',
          name: 'g',
          parts: [{ kind: 'text', text: '{"result":[1]}' }],
          isError: false,
        },
        { kind: 'tool-result', callId: 'call_1_0', name: 'f', parts: [{ kind: 'text', text: 'one' }], isError: false },
        {
          kind: 'tool-result',
          callId: 'call_1_1',
          name: 'f',
          parts: [
            { kind: 'text', text: 'no' },
            { kind: 'image', source: { kind: 'data', data: 'AA', mime: 'image/png' } },
          ],
          isError: true,
        },
      ],
    })
  })

  test('joins an earlier response that its client kept in pieces', () => {
    const model = (part: JsonObject) => ({ role: 'model', parts: [part] })
    const conversation = messages(
      { role: 'user', parts: [{ text: 'hi' }] },
      model({ text: 'hm ', thought: true }),
      model({ text: 'so', thought: true }),
      model({ text: '', thought: true, thoughtSignature: 'c2ln' }),
      model({ text: 'Hel' }),
      model({ text: 'lo', thoughtSignature: 'ZW5k' }),
      model({ executableCode: { language: 'PYTHON', code: 'print(1)\n' } }),
      model({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }),
      model({ toolCall: { id: 'x' } }),
      model({ text: '' }),
    )
    expect(conversation.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'thinking', text: 'hm so', signature: 'c2ln' },
          { kind: 'text', text: 'Hello' },
          { kind: 'thinking', text: '', signature: 'ZW5k', isRedacted: true },
          { kind: 'text', text: '\n```python\nprint(1)\n```\n\n```output\n1\n```\n' },
          { kind: 'own', dialect: 'gemini', value: { toolCall: { id: 'x' } } },
        ],
      },
    ])
  })

  test('joins a call whose client kept the parts of its stream', () => {
    const model = (functionCall: JsonObject, more: JsonObject = {}) => ({
      role: 'model',
      parts: [{ functionCall, ...more }],
    })
    const conversation = messages(
      { role: 'user', parts: [{ text: 'hi' }] },
      model({ name: 'f', willContinue: true }, { thoughtSignature: 'c2ln' }),
      model({ partialArgs: [{ jsonPath: '$.a', stringValue: 'x', willContinue: true }], willContinue: true }),
      model({ partialArgs: [{ jsonPath: '$.a', stringValue: 'y' }], willContinue: true }),
      model({}),
      model({ name: 'g', args: { b: 1 } }),
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'done' } } }] },
    )
    expect(conversation[1]).toEqual({
      role: 'assistant',
      parts: [
        { kind: 'tool-call', id: 'call_1_0', name: 'f', argumentsText: '{"a":"xy"}', signature: 'c2ln' },
        { kind: 'tool-call', id: 'call_5_0', name: 'g', argumentsText: '{"b":1}' },
      ],
    })
    expect(conversation[2]).toMatchObject({ parts: [{ kind: 'tool-result', callId: 'call_1_0' }] })
  })

  test('reads instructions, modalities, voice and tier', () => {
    const call = read({
      systemInstruction: { parts: { text: 'be good' } },
      serviceTier: 'standard',
      labels: { team: 'a' },
      generationConfig: {
        responseModalities: ['TEXT', 'AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    })
    expect(call.messages[0]).toEqual({ role: 'system', parts: [{ kind: 'text', text: 'be good' }] })
    expect(call).toMatchObject({
      serviceTier: 'default',
      metadata: { team: 'a' },
      modalities: ['audio'],
      voice: { voice: 'Kore' },
    })
  })
})
