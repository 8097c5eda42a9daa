import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking, schema, type Reply, type Json } from '../test/asking'

const { simulator, send } = await asking({ 'x-goog-api-key': 'AIza-sim' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const contents = [{ role: 'user', parts: [{ text: 'hello there' }] }]
const generate = (more: object = {}, model = 'gemini-2.5-pro', call = 'generateContent'): Promise<Reply> =>
  send(`/v1beta/models/${model}:${call}`, { contents, ...more })
const stream = (more: object = {}, model?: string): Promise<Reply> =>
  generate(more, model, 'streamGenerateContent?alt=sse')
const declarations = ['a', 'b'].map((name) => ({ name, parameters: { ...schema, type: 'OBJECT' } }))
const tools = [{ functionDeclarations: declarations }]

/** One response out of those of a stream: neighbouring texts of a kind are one. */
function joinResponses(responses: readonly Json[]): Json {
  const parts: Json[] = []
  for (const part of responses.flatMap((response) => response.candidates?.[0].content.parts ?? [])) {
    const last = parts.at(-1)
    const isMore = last && 'text' in last && 'text' in part && last.thought === part.thought
    if (isMore) parts[parts.length - 1] = { ...last, ...part, text: last.text + part.text }
    else if (part.text !== '') parts.push(part)
  }
  const final = responses.at(-1)
  const [candidate] = final.candidates ?? []
  if (!candidate) return final
  return { ...final, candidates: [{ ...candidate, content: { ...candidate.content, parts } }] }
}

test('an answer in the shape of the vendor', async () => {
  simulator.next({ tokens: 5 })
  expect((await generate()).json).toEqual({
    candidates: [
      {
        content: { parts: [{ text: 'the quick brown fox jumps' }], role: 'model' },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 6,
      candidatesTokenCount: 5,
      totalTokenCount: 11,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 6 }],
    },
    modelVersion: 'gemini-2.5-pro',
    responseId: 'sim1',
  })
  expect(simulator.served.byKey('AIza-sim')).toMatchObject({ completed: 1, promptTokens: 6, completionTokens: 5 })
})

const think = { thinkingConfig: { includeThoughts: true } }

test.each([
  ['text', {}],
  ['thoughts', { generationConfig: think }],
  ['parallel calls', { tools, generationConfig: think }],
  ['a picture', { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }],
  ['a search', { tools: [{ googleSearch: {} }] }],
  ['a structured answer', { generationConfig: { responseMimeType: 'application/json', responseSchema: schema } }],
  ['an answer that is cut', { generationConfig: { maxOutputTokens: 3 } }],
  ['an answer that is stopped', { generationConfig: { stopSequences: [' fox'] } }],
])('a stream says the same as a whole answer: %s', async (_name, more) => {
  const { json: whole } = await generate(more)
  const first = simulator.requests[0]?.counted
  simulator.reset()
  const { events } = await stream(more)
  expect(joinResponses(events.map(({ data }) => data))).toEqual(whole)
  expect(simulator.requests[0]?.counted).toEqual(first ?? null)
  simulator.reset()
  const list = await generate(more, undefined, 'streamGenerateContent')
  expect(list.headers.get('content-type')).toStartWith('application/json')
  expect(joinResponses(list.json)).toEqual(whole)
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = whole.usageMetadata
  expect(first?.completionTokens).toBe(candidatesTokenCount + thoughtsTokenCount)
})

test('thoughts are marked, signed and counted apart', async () => {
  const { json } = await generate({ generationConfig: think })
  const [thought, text] = json.candidates[0].content.parts
  expect(thought).toEqual({ text: 'weighing each part of', thought: true })
  expect(text.thoughtSignature).not.toBe('')
  expect(json.usageMetadata).toMatchObject({ candidatesTokenCount: 8, thoughtsTokenCount: 4, totalTokenCount: 18 })
})

test('calls every function, the first of them signed, and answers their responses', async () => {
  simulator.next({ toolArguments: [{ city: 'Ulm' }] })
  const { json } = await generate({ tools, generationConfig: think })
  const [, ...calls] = json.candidates[0].content.parts
  expect(calls.map(({ functionCall }: Json) => functionCall)).toEqual([
    { name: 'a', args: { city: 'Ulm' } },
    { name: 'b', args: { city: 'sample', days: 7 } },
  ])
  expect(calls.map((part: Json) => 'thoughtSignature' in part)).toEqual([true, false])
  const responses = calls.map(({ functionCall: { name } }: Json) => ({ functionResponse: { name, response: {} } }))
  const response = await generate({ tools, contents: [...contents, { role: 'user', parts: responses }] })
  expect(response.json.candidates[0].content.parts).toEqual([{ text: 'the quick brown fox jumps over a lazy' }])
})

test('calling modes are heeded', async () => {
  const names = async (functionCallingConfig: object) =>
    (await generate({ tools, toolConfig: { functionCallingConfig } })).json.candidates[0].content.parts.map(
      ({ functionCall }: Json) => functionCall?.name,
    )
  expect(await names({ mode: 'ANY', allowedFunctionNames: ['b'] })).toEqual(['b'])
  expect(await names({ mode: 'NONE' })).toEqual([undefined])
})

test.each([
  ['sim:end=refusal', 'SAFETY'],
  ['sim:end=content-filter', 'PROHIBITED_CONTENT'],
  ['sim:end=length', 'MAX_TOKENS'],
])('a candidate of %s ends with %s', async (model, reason) => {
  expect((await generate({}, model)).json.candidates[0].finishReason).toBe(reason)
  expect((await stream({}, model)).events.at(-1)?.data.candidates[0].finishReason).toBe(reason)
})

test('a blocked prompt has no candidate', async () => {
  const expected = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 6 } }
  const whole = await generate({}, 'sim-fault-blocked-prompt')
  expect(whole.json).toMatchObject(expected)
  expect(whole.json).not.toHaveProperty('candidates')
  const { events } = await stream({}, 'sim-fault-blocked-prompt')
  expect(events.map(({ data }) => data)).toMatchObject([expected])
  expect(simulator.served.total.completionTokens).toBe(0)
})

test('a list comes although events were asked for', async () => {
  const { json } = await stream({}, 'sim-fault-array-stream')
  expect(json).toHaveLength(9)
})

test('an error inside a stream, as event and as the last of a list', async () => {
  const error = { error: { code: 500, message: 'Simulated error inside an answer', status: 'INTERNAL' } }
  const { events } = await stream({}, 'sim-fault-error-after-frames')
  expect(events.at(-1)?.data).toEqual(error)
  const list = await generate({}, 'sim-fault-error-after-frames', 'streamGenerateContent')
  expect(list.json.at(-1)).toEqual(error)
})

test.each([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
])('an error of status %d is %s', async (code, status) => {
  const response = await generate({}, `sim-fault-status-${code}`)
  expect([response.status, response.json.error.code, response.json.error.status]).toEqual([code, code, status])
})

test('the usage grows, and may be wrong, late or missing', async () => {
  const { events } = await stream()
  expect(events.map(({ data }) => data.usageMetadata.candidatesTokenCount)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8])
  const late = await stream({}, 'sim:usage=last-choice')
  expect(late.events.map(({ data }) => 'usageMetadata' in data)).toEqual([...Array(8).fill(false), true])
  expect((await generate({}, 'sim-fault-usage-negative')).json.usageMetadata.promptTokenCount).toBe(-5)
  expect((await generate({}, 'sim:usage=none')).json).not.toHaveProperty('usageMetadata')
})

test('counts tokens, embeds and lists models', async () => {
  expect((await generate({}, undefined, 'countTokens')).json.totalTokens).toBe(6)
  const content = contents[0]
  const one = await send('/v1beta/models/e:embedContent', { content, outputDimensionality: 4 })
  expect(one.json.embedding.values).toHaveLength(4)
  const several = await send('/v1beta/models/e:batchEmbedContents', {
    requests: [{ content, outputDimensionality: 4 }, { content: { parts: [{ text: 'other' }] } }],
  })
  expect(several.json.embeddings[0]).toEqual(one.json.embedding)
  expect(several.json.embeddings[1].values).toHaveLength(8)
  const page = await send('/v1beta/models?pageSize=2')
  expect(page.json).toMatchObject({ models: [{ name: 'models/gpt-4o' }, {}], nextPageToken: '2' })
  expect((await send('/v1beta/openai/models')).json.object).toBe('list')
})

test('takes no request without contents', async () => {
  expect(await generate({ contents: [] })).toMatchObject({
    status: 400,
    json: { error: { status: 'INVALID_ARGUMENT' } },
  })
})
