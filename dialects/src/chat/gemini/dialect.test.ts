import { describe, expect, test } from 'bun:test'

import { DialectError } from '../../core/dialect-error'
import { gemini } from './dialect'
import { readUsage, usageBody, webSearches } from './usage'

const pathContext = { model: 'gemini-2.5-pro', isStream: true }
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]

describe('a request', () => {
  test('a request is read with its path, in either spelling', () => {
    const view = { model: 'gemini-2.5-pro', isStream: true, includeUsage: true, maxOutputTokens: 7, choices: 2 }
    const generationConfig = { maxOutputTokens: 7, candidateCount: 2 }
    expect(gemini.readRequest({ model: 'other', stream: false, contents, generationConfig }, pathContext)).toEqual(view)
    const generation_config = { max_output_tokens: '7', candidate_count: 2 }
    expect(gemini.readRequest({ contents: contents[0], generation_config }, pathContext)).toEqual(view)
    expect(gemini.readRequest({ model: 'models/x', contents }, { model: '', isStream: false })).toMatchObject({
      model: 'x',
      isStream: false,
      maxOutputTokens: null,
      choices: 1,
    })
  })

  test.each([
    [{}, 'contents'],
    [{ contents: [] }, 'contents'],
    [{ contents: 'hi' }, 'contents'],
    [{ contents: ['hi'] }, 'contents[0]'],
    [{ contents: [{ role: 1 }] }, 'contents[0].role'],
    [{ contents: [{ parts: 'hi' }] }, 'contents[0].parts'],
    [{ contents: [{ parts: ['hi'] }] }, 'contents[0].parts[0]'],
    [{ contents, generationConfig: 1 }, 'generationConfig'],
    [{ contents, generationConfig: { maxOutputTokens: -1 } }, 'generationConfig.maxOutputTokens'],
    [{ contents, generationConfig: { candidateCount: 'two' } }, 'generationConfig.candidateCount'],
  ])('%j is refused for %s', (body, param) => {
    try {
      gemini.readRequest(body, pathContext)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(DialectError)
      expect(error).toMatchObject({ param })
    }
  })

  test('shows all its prompt is made of', () => {
    const parts = [
      { text: 'look' },
      { inline_data: { mime_type: 'image/png', data: 'AA' } },
      { inlineData: { mimeType: 'audio/mp3', data: 'AA' } },
      { inlineData: { mimeType: 'text/csv', data: Buffer.from('a;b').toString('base64') } },
      { fileData: { fileUri: 'files/1', mimeType: 'application/pdf' } },
      { functionCall: { name: 'f', args: { a: 1 } } },
      { functionResponse: { name: 'f', response: { b: 2 }, parts: [{ inlineData: { mimeType: 'image/png' } }] } },
      { executableCode: { code: 'print()' } },
      { codeExecutionResult: { output: 'done' } },
    ]
    const shape = gemini.readPrompt({
      contents: [{ parts }],
      system_instruction: { parts: { text: 'be good' } },
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
      generationConfig: { responseSchema: { type: 'STRING' } },
    })
    expect(shape).toMatchObject({ messages: 1, images: 2, audios: 1, files: 1 })
    expect(shape.texts).toEqual(['be good', 'look', 'a;b', 'f', '{"a":1}', '{"b":2}', 'print()', 'done'])
    expect(shape.tools).toEqual([{ name: 'f' }, { type: 'STRING' }])
  })

  test('asks how long a prompt is, alone or as a whole request', () => {
    const text = (body: object) => gemini.count?.read({ ...body }, pathContext)
    expect(text({ contents })).toMatchObject({ model: 'gemini-2.5-pro', prompt: { texts: ['hi'] } })
    const systemInstruction = { parts: [{ text: 'be good' }] }
    expect(text({ generateContentRequest: { model: 'models/x', contents, systemInstruction } })).toMatchObject({
      model: 'gemini-2.5-pro',
      prompt: { texts: ['be good', 'hi'] },
    })
    expect(() => text({})).toThrow(DialectError)
    expect(gemini.count?.write(12)).toMatchObject({ totalTokens: 12 })
  })
})

describe("the operator's instructions", () => {
  const own = { parts: [{ text: 'own' }] }
  test.each([
    [{ contents }, false, { contents, systemInstruction: { parts: [{ text: 'new' }] } }],
    [{ systemInstruction: own }, false, { systemInstruction: own }],
    [{ systemInstruction: own }, true, { systemInstruction: { parts: [{ text: 'new' }, { text: 'own' }] } }],
    [{ system_instruction: own }, true, { system_instruction: { parts: [{ text: 'new' }, { text: 'own' }] } }],
    [{ systemInstruction: 'own' }, true, { systemInstruction: { parts: [{ text: 'new' }, { text: 'own' }] } }],
  ])('instructions of the operator are put into %j', (body, isFirst, expected) => {
    const result = gemini.withSystemPrompt?.(body, 'new', isFirst)
    expect(result).toEqual(expected)
    expect(Object.is(result, body)).toBe(Bun.deepEquals(body, expected))
  })
})

describe('errors', () => {
  const error = { message: 'No.', type: '', code: '', param: null }
  test.each([
    [{ ...error, status: 400 }, 400, 'INVALID_ARGUMENT'],
    [{ ...error, status: 401 }, 401, 'UNAUTHENTICATED'],
    [{ ...error, status: 418 }, 418, 'INVALID_ARGUMENT'],
    [{ ...error, status: 429 }, 429, 'RESOURCE_EXHAUSTED'],
    [{ ...error, status: 507 }, 507, 'INTERNAL'],
    [{ ...error, type: 'overloaded_error' }, 503, 'UNAVAILABLE'],
    [{ ...error, type: 'PERMISSION_DENIED' }, 403, 'PERMISSION_DENIED'],
    [error, 500, 'INTERNAL'],
  ])('%j is %i %s', (view, code, status) => {
    const body = { error: { code, message: 'No.', status } }
    expect(gemini.errorBody(view)).toEqual(body)
    expect(new TextDecoder().decode(gemini.errorEvent(view))).toBe(`data: ${JSON.stringify(body)}\n\n`)
  })

  test('the wait of an error is written and read as RetryInfo', () => {
    const body = gemini.errorBody({ ...error, status: 429, retryAfterSeconds: 34 })
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }
    expect(body).toMatchObject({ error: { details: [info] } })
    expect(gemini.readError(429, JSON.stringify(body))).toMatchObject({ retryAfterSeconds: 34 })
    const precise = { error: { code: 429, message: 'No.', details: [{ ...info, retryDelay: '34.074824s' }] } }
    expect(gemini.readError(429, JSON.stringify(precise))).toMatchObject({ retryAfterSeconds: 34.074824 })
    const broken = { error: { code: 429, message: 'No.', details: [{ ...info, retryDelay: 'soon' }] } }
    expect(gemini.readError(429, JSON.stringify(broken))).not.toHaveProperty('retryAfterSeconds')
  })

  test('errors of the vendor are read, alone and in a list', () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.Help' },
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
    ]
    const body = { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details } }
    const view = { message: 'API key not valid.', type: 'INVALID_ARGUMENT', code: 'API_KEY_INVALID' }
    expect(gemini.readError(400, JSON.stringify(body))).toMatchObject(view)
    expect(gemini.readError(400, `[${JSON.stringify(body)}\n]`)).toMatchObject(view)
    expect(gemini.readError(502, '<html><title>Bad</title>')).toMatchObject({ message: 'HTTP status 502' })
  })
})

test.each<[string, string, object, number]>([
  ['each different query', 'gemini-3-pro', { webSearchQueries: ['a', 'b', 'a', ' '] }, 2],
  ['the grounded prompt with older models', 'gemini-2.5-pro', { webSearchQueries: ['a', 'b'] }, 1],
  [
    'one search where pages have no query',
    'gemini-3-pro',
    { groundingChunks: [{ web: { uri: 'https://a.example' } }] },
    1,
  ],
  ['no search where sources are documents', 'gemini-3-pro', { groundingChunks: [{ retrievedContext: {} }] }, 0],
])('a grounded answer counts %s', (_name, modelVersion, groundingMetadata, searches) => {
  expect(webSearches({ modelVersion, candidates: [{ groundingMetadata }] })).toBe(searches)
})

test('a usage is written as it is read', () => {
  const usageMetadata = {
    promptTokenCount: 100,
    candidatesTokenCount: 20,
    totalTokenCount: 150,
    cachedContentTokenCount: 40,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 50 },
      { modality: 'IMAGE', tokenCount: 30 },
      { modality: 'AUDIO', tokenCount: 20 },
    ],
    candidatesTokensDetails: [
      { modality: 'TEXT', tokenCount: 5 },
      { modality: 'AUDIO', tokenCount: 15 },
    ],
    thoughtsTokenCount: 30,
  }
  const usage = readUsage({ usageMetadata })
  expect(usage).toMatchObject({
    promptTokens: 100,
    completionTokens: 50,
    cachedTokens: 40,
    imageTokens: 30,
    audioInputTokens: 20,
    audioOutputTokens: 15,
    reasoningTokens: 30,
  })
  expect(usage && usageBody(usage)).toEqual(usageMetadata)
  expect(readUsage({ usageMetadata: {} })).toBeNull()
})

test.each([
  [{ promptTokenCount: 5, candidatesTokenCount: 6, thoughtsTokenCount: 3 }, 5, 9],
  [{ promptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 6 }, 5, 9],
  [{ promptTokenCount: 5, thoughtsTokenCount: 3 }, 5, 3],
  [{ promptTokenCount: 5, candidatesTokenCount: 6, toolUsePromptTokenCount: 4 }, 9, 6],
  // A search of which the prompt is a hundred times the question.
  [
    { promptTokenCount: 151, candidatesTokenCount: 1089, toolUsePromptTokenCount: 18_329, thoughtsTokenCount: 1120 },
    18_480,
    2209,
  ],
])('a usage without a total, %j, counts thoughts and the prompts of tools', (usageMetadata, prompt, completion) => {
  expect(readUsage({ usageMetadata })).toMatchObject({ promptTokens: prompt, completionTokens: completion })
})

test('streams are cut as the address asks', () => {
  expect(gemini.streamForm?.('alt=sse')).toBeNull()
  expect(gemini.streamForm?.('?alt=sse&key=x')).toBeNull()
  expect(gemini.streamForm?.('')?.contentType).toBe('application/json')
})
