import { describe, expect, test } from 'bun:test'

import type { PathContext } from '../views'
import { DialectError } from '../dialect-error'
import { dialects } from '../../dialects'
import { FormFile } from '../form-file'
import { isObject, type JsonObject } from '../json'
import { checkNames, type KnownNames } from './known-names'
import { vendorRequests } from './test/vendor-requests'
import type { DialectId } from '../mode'
import { translationOf } from '../../translation/translation'

/** Requests that make every reader look at everything it knows. */
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
const schema = { type: 'object', properties: { Model: { type: 'string' }, content: { type: 'string' } } }
const requests: Partial<Record<DialectId, readonly JsonObject[]>> = {
  ...vendorRequests,
  'openai-chat': [
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'a', name: 'b' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            imagePart,
            { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', filename: 'f' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          refusal: 'no',
          reasoning_content: 'r',
          tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'done' },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
      stream: true,
      stream_options: { include_usage: true },
      n: 1,
    },
  ],
  'openai-completions': [{ model: 'm', prompt: ['a'], n: 1, best_of: 2, stream: true, stream_options: {} }],
  'openai-embeddings': [{ model: 'm', input: ['a'] }],
  'openai-images': [
    {
      model: 'm',
      prompt: 'p',
      n: 1,
      size: '1024x1024',
      quality: 'low',
      stream: true,
      partial_images: 1,
      images: [{ image_url: 'https://a/b.png' }],
    },
  ],
  'openai-image-edits': [
    {
      model: 'm',
      prompt: 'p',
      images: [{ image_url: 'https://a/b.png' }, { file_id: 'f' }],
      mask: { image_url: 'https://a/b.png' },
      'image[]': [],
    },
  ],
  imagen: [
    {
      instances: [{ prompt: 'p', image: { bytesBase64Encoded: 'AA==', mimeType: 'image/png' } }],
      parameters: {
        sampleCount: 1,
        aspectRatio: '1:1',
        sampleImageSize: '2K',
        outputOptions: { mimeType: 'image/png' },
      },
    },
  ],
  'openai-moderations': [{ model: 'm', input: [{ type: 'text', text: 'a' }, imagePart] }],
  'openai-speech': [
    { model: 'm', input: 'a', voice: { id: 'v' }, instructions: 'i', response_format: 'wav', speed: 2 },
  ],
  'openai-transcriptions': [
    { model: 'm', file: new FormFile('a.wav', 'audio/wav', new Uint8Array(4)), prompt: 'p', stream: 'true' },
  ],
  'mistral-fim': [{ model: 'm', prompt: 'a', suffix: 'b', random_seed: 1, min_tokens: 1, stream: true, max_tokens: 9 }],
  'mistral-ocr': [
    {
      model: 'm',
      document: { type: 'document_url', document_url: 'https://docs.example/a.pdf' },
      pages: '0-1',
      document_annotation_prompt: 'a',
      document_annotation_format: { type: 'json_schema' },
      bbox_annotation_format: { type: 'json_schema' },
    },
  ],
  rerank: [{ model: 'm', query: 'q', documents: ['a', { text: 'b' }] }],
  'openai-responses': [
    {
      model: 'm',
      instructions: 'i',
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'x' },
            { type: 'input_image', image_url: 'https://a/b.png', detail: 'low' },
            { type: 'input_file', file_data: 'data:application/pdf;base64,AA==', filename: 'f' },
          ],
        },
        { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'e' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] },
      ],
      tools: [
        { type: 'function', name: 'f', parameters: schema },
        { type: 'web_search' },
        { type: 'custom', name: 'c' },
      ],
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 's', schema } },
      reasoning: { effort: 'low', summary: 'auto' },
    },
    { model: 'm', prompt: { id: 'p', variables: { Name: 'x' } } },
  ],
  'anthropic-messages': [
    {
      model: 'm',
      max_tokens: 9,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            { type: 'document', title: 't', source: { type: 'content', content: [{ type: 'text', text: 'd' }] } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 's' },
            { type: 'tool_use', id: '1', name: 'f', input: { Model: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: 'r' }] },
            { type: 'search_result', title: 't', source: 'https://a', content: [{ type: 'text', text: 'r' }] },
          ],
        },
      ],
      tools: [
        { name: 'f', description: 'd', input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 1 },
      ],
      tool_choice: { type: 'tool', name: 'f' },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      metadata: { user_id: 'u' },
    },
  ],
  gemini: ['camel', 'snake'].map((form) => {
    const body = {
      systemInstruction: { parts: [{ text: 's' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'x' },
            { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            { fileData: { mimeType: 'video/mp4', fileUri: 'https://a' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 't', thought: true },
            { functionCall: { name: 'f', args: { Model: 1 } }, thoughtSignature: 'AA==' },
            { functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }], willContinue: true } },
            { executableCode: { language: 'PYTHON', code: '1' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'f',
                response: { Text: 1 },
                parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
              },
            },
          ],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: schema }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        maxOutputTokens: 9,
        candidateCount: 1,
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
        thinkingConfig: { thinkingBudget: 9, includeThoughts: true },
      },
    }
    return form === 'camel' ? body : (inSnake(body) as JsonObject)
  }),
  'gemini-embeddings': [
    {
      requests: [
        { model: 'models/m', content: { parts: [{ text: 'x' }] }, title: 't', taskType: 'SEMANTIC_SIMILARITY' },
      ],
    },
  ],
}

/** Names in snake case, but for those that are the caller's own. */
function inSnake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnake)
  if (!isObject(value)) return value
  const free = new Set(['args', 'response', 'parametersJsonSchema', 'responseJsonSchema'])
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      free.has(name) ? part : inSnake(part),
    ]),
  )
}

/** The value, telling of every name that is read where names are known and this one is not. */
function watchReads(value: unknown, known: KnownNames | null, place: string, strange: Set<string>): unknown {
  if (typeof value !== 'object' || value === null || known === null) return value
  return new Proxy(value, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || name === 'toJSON' || (Array.isArray(target) && !/^\d+$/.test(name))) return part
      if (Array.isArray(target)) return watchReads(part, known, place, strange)
      if (!known.members.has(name)) strange.add(`${place}.${name}`)
      return watchReads(part, known.members.get(name) ?? null, `${place}.${name}`, strange)
    },
  })
}

const clientDialects = Object.values(dialects).filter(({ names }) => names !== undefined)
const pathContext: PathContext = { model: 'm', isStream: false }

describe.each(clientDialects)('the names of $id', ({ id, names = null, readRequest, readPrompt, count }) => {
  const bodies = requests[id] ?? []

  test('hold every member that the dialect reads', () => {
    const strange = new Set<string>()
    expect(bodies).not.toBeEmpty()
    for (const body of bodies) {
      const requested = watchReads(body, names, id, strange) as JsonObject
      readRequest(requested, pathContext)
      readPrompt(requested)
      count?.read(requested, pathContext)
      for (const to of Object.keys(dialects) as DialectId[]) translate(requested, id, to)
    }
    expect([...strange]).toEqual([])
  })

  test('allow what clients send, and tell how many members that is', () => {
    for (const body of bodies) {
      const colons =
        JSON.stringify(body)
          .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
          .split(':').length - 1
      expect(checkNames(body, names)).toBe(colons)
    }
  })

  test.each(['toUpperCase', 'capital', 'long s', 'Kelvin sign'] as const)(
    'refuse any of them in another case: %s',
    (how) => {
      const change = {
        toUpperCase: (name: string) => name.toUpperCase(),
        capital: (name: string) => name.charAt(0).toUpperCase() + name.slice(1),
        'long s': (name: string) => name.replace('s', 'ſ'),
        'Kelvin sign': (name: string) => name.replace('k', 'K'),
      }[how]
      for (const body of bodies)
        for (const { variant, name } of variantsOf(body, names, change))
          expect({ name, refused: refusalOf(variant, names) }).toEqual({ name, refused: 'ambiguous_parameter' })
    },
  )
})

/** What cannot be translated was read up to there. */
function translate(body: JsonObject, from: DialectId, to: DialectId): void {
  try {
    translationOf(from, to)?.(body, pathContext, 'm')
  } catch (error) {
    if (!(error instanceof DialectError)) throw error
  }
}

/** The body with one known name after the other changed. */
function* variantsOf(
  value: unknown,
  known: KnownNames | null,
  change: (name: string) => string,
): Generator<{ variant: unknown; name: string }> {
  if (known === null) return
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const { variant, name } of variantsOf(item, known, change)) yield { variant: value.with(at, variant), name }
    return
  }
  if (!isObject(value)) return
  for (const [name, part] of Object.entries(value)) {
    const { [name]: _, ...others } = value
    if (change(name) !== name && known.members.has(name)) yield { variant: { ...others, [change(name)]: part }, name }
    for (const below of variantsOf(part, known.members.get(name) ?? null, change))
      yield { ...below, variant: { ...value, [name]: below.variant } }
  }
}

function refusalOf(body: unknown, names: KnownNames | null): string | null {
  try {
    checkNames(body, names)
    return null
  } catch (error) {
    if (error instanceof DialectError) return error.code
    throw error
  }
}

test('a Google request may use either form of a name, not both at once', () => {
  const { names = null } = dialects.gemini
  expect(refusalOf({ contents: [], generation_config: {} }, names)).toBeNull()
  expect(refusalOf({ contents: [], generation_config: {}, generationConfig: {} }, names)).toBe('ambiguous_parameter')
  expect(refusalOf({ contents: [], generationconfig: {} }, names)).toBe('ambiguous_parameter')
  expect(
    refusalOf({ contents: [{ parts: [{ functionCall: { args: { genCfg: 1, GenerationConfig: 2 } } }] }] }, names),
  ).toBeNull()
})

test('unknown names and names of the caller pass', () => {
  const { names = null } = dialects['openai-chat']
  const tool = {
    type: 'function',
    function: { name: 'f', parameters: { Type: 1, properties: { Model: {}, MODEL: {} } } },
  }
  expect(refusalOf({ model: 'm', messages: [], tools: [tool], Vendor: 1, metadata: { Model: 'x' } }, names)).toBeNull()
})
