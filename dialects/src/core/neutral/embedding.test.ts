import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { cohereEmbeddingsCodec } from '../../vectors/cohere-embeddings'
import { dashScopeEmbeddingsCodec } from '../../vectors/dashscope-embeddings'
import { inBody } from '../views'
import { DialectError } from '../dialect-error'
import { dialects } from '../../dialects'
import { geminiEmbeddingsCodec } from '../../vectors/gemini-embeddings'
import { ollamaEmbeddingsCodec } from '../../vectors/ollama-embeddings'
import { openAiEmbeddingsCodec } from '../../vectors/openai-embeddings'
import { noUsage } from '../usage'
import { vertexEmbeddingsCodec } from '../../vectors/vertex-embeddings'
import { volcEngineEmbeddingsCodec } from '../../vectors/volcengine-embeddings'
import { voyageEmbeddingsCodec } from '../../vectors/voyage-embeddings'
import { anEmbedding, answeringAnEmbedding } from './test/fixtures'
import { mutationsOf } from './test/mutate'

describe('Cohere', () => {
  test('asks for floats and names the required kind of input', () => {
    const warnings: string[] = []
    const call = anEmbedding({ dimensions: 256, user: 'u', title: 'T' })
    expect(cohereEmbeddingsCodec.writeCall(call, (what) => warnings.push(what))).toEqual({
      model: 'm',
      texts: ['apple', 'stone'],
      input_type: 'search_document',
      embedding_types: ['float'],
      output_dimension: 256,
    })
    expect(warnings).toEqual(['the title', 'user'])
    expect(cohereEmbeddingsCodec.writeCall(anEmbedding({ task: 'query' }), () => {})['input_type']).toBe('search_query')
  })

  test('answers by kind, or without one as it used to', () => {
    const meta = { api_version: { version: '2' }, billed_units: { input_tokens: 4 } }
    const vectors = [[0.5], [1]]
    const read = { model: '', vectors, usage: { ...noUsage, promptTokens: 4 } }
    const answer = { response_type: 'embeddings_by_type', id: 'e', embeddings: { float: vectors }, texts: [], meta }
    expect(cohereEmbeddingsCodec.readAnswer(answer)).toEqual(read)
    expect(cohereEmbeddingsCodec.readAnswer({ ...answer, embeddings: vectors })).toEqual(read)
    expect(dialects['cohere-embeddings'].readAnswer(answer)).toMatchObject({ usage: read.usage, error: null })
  })
})

describe('Ollama', () => {
  test('asks with a list and separate options', () => {
    const call = anEmbedding({ inputs: ['apple'], dimensions: 8, own: { seed: 7, temperature: 0, top_k: 'x' } })
    expect(ollamaEmbeddingsCodec.writeCall(call, () => {})).toEqual({
      model: 'm',
      input: ['apple'],
      dimensions: 8,
      options: { seed: 7, temperature: 0 },
    })
    expect(ollamaEmbeddingsCodec.writeCall(anEmbedding(), () => {})).toEqual({ model: 'm', input: ['apple', 'stone'] })
  })

  test('answers with one vector for each input', () => {
    const answer = { model: 'all-minilm', embeddings: [[0.5], [1]], total_duration: 1, prompt_eval_count: 4 }
    expect(ollamaEmbeddingsCodec.readAnswer(answer)).toEqual({
      model: 'all-minilm',
      vectors: [[0.5], [1]],
      usage: { ...noUsage, promptTokens: 4 },
    })
    expect(dialects['ollama-embeddings'].readAnswer({ error: 'model not found' }).error?.message).toBe(
      'model not found',
    )
  })
})

describe('Google Cloud', () => {
  test('asks for a list of texts, and reads a vector and a count of each', () => {
    const call = anEmbedding({ dimensions: 256, task: 'query', user: 'u' })
    const warnings: string[] = []
    expect(vertexEmbeddingsCodec.writeCall(call, (what) => warnings.push(what))).toEqual({
      instances: [
        { content: 'apple', task_type: 'RETRIEVAL_QUERY' },
        { content: 'stone', task_type: 'RETRIEVAL_QUERY' },
      ],
      parameters: { outputDimensionality: 256 },
    })
    expect(warnings).toEqual(['user'])
    const prediction = (values: readonly number[]) => ({ embeddings: { values, statistics: { token_count: 2 } } })
    expect(vertexEmbeddingsCodec.readAnswer({ predictions: [prediction([0.5]), prediction([1])] })).toEqual({
      model: '',
      vectors: [[0.5], [1]],
      usage: { ...noUsage, promptTokens: 4 },
    })
  })

  test('asks newer models for one content in a call, and reads several answers as one', () => {
    const call = anEmbedding({ model: 'gemini-embedding-2', inputs: ['apple'], dimensions: 8, title: 'T' })
    expect(vertexEmbeddingsCodec.writeCall(call, () => {})).toEqual({
      content: { role: 'user', parts: [{ text: 'apple' }] },
      embedContentConfig: { title: 'T', outputDimensionality: 8 },
    })
    const one = { embedding: { values: [0.5] }, usageMetadata: { promptTokenCount: 3 } }
    expect(vertexEmbeddingsCodec.readAnswer({ answers: [one, one] })).toEqual({
      model: '',
      vectors: [[0.5], [0.5]],
      usage: { ...noUsage, promptTokens: 6 },
    })
  })
})

const upstreams = {
  openAiEmbeddingsCodec,
  geminiEmbeddingsCodec,
  cohereEmbeddingsCodec,
  ollamaEmbeddingsCodec,
  dashScopeEmbeddingsCodec,
  vertexEmbeddingsCodec,
  volcEngineEmbeddingsCodec,
  voyageEmbeddingsCodec,
}

test.each(Object.entries(upstreams).slice(1))('%s takes no tokens, and says so', (_, codec) => {
  expect(() => codec.writeCall(anEmbedding({ inputs: ['a', [1, 2]] }), () => {})).toThrow(DialectError)
})

describe('pictures', () => {
  const data = 'data:image/jpeg;base64,/9j/'
  const read = (input: unknown) => openAiEmbeddingsCodec.readCall({ model: 'm', input }, inBody)

  test.each([
    ['Jina', { image: data }],
    ['OpenAI', { type: 'image_url', image_url: { url: data } }],
    ['Voyage', { content: [{ type: 'image_base64', image_base64: data }] }],
  ])('a picture is read in the words of %s', (_, item) => {
    expect(read([item]).inputs).toEqual([{ parts: [{ image: data }] }])
  })

  test('texts and pictures reach Cohere as contents, also without a kind of data', () => {
    const call = read([
      'apple',
      {
        content: [
          { type: 'text', text: 'pie' },
          { type: 'image_url', image_url: data },
        ],
      },
      { image: 'iVBO' },
    ])
    expect(cohereEmbeddingsCodec.writeCall(call, () => {})).toMatchObject({
      inputs: [
        { content: [{ type: 'text', text: 'apple' }] },
        {
          content: [
            { type: 'text', text: 'pie' },
            { type: 'image_url', image_url: { url: data } },
          ],
        },
        { content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }] },
      ],
    })
  })

  test('a picture reaches Gemini as data and is read back, but not by its address', () => {
    const call = read([{ content: [{ text: 'pie' }, { image: data }] }])
    const body = geminiEmbeddingsCodec.writeCall(call, () => {})
    expect(body['requests']).toMatchObject([
      { content: { parts: [{ text: 'pie' }, { inlineData: { mimeType: 'image/jpeg', data: '/9j/' } }] } },
    ])
    expect(geminiEmbeddingsCodec.readCall(body, { ...inBody, model: 'm' }).inputs).toEqual(call.inputs)
    expect(() => geminiEmbeddingsCodec.writeCall(read([{ image: 'https://x/y.png' }]), () => {})).toThrow(
      'the model takes pictures as base64, not by address',
    )
  })

  test('a model of texts alone refuses pictures', () => {
    expect(() => ollamaEmbeddingsCodec.writeCall(read([{ image: data }]), () => {})).toThrow(
      'the model takes texts, not pictures',
    )
  })

  const pie = {
    content: [
      { type: 'text', text: 'pie' },
      { type: 'image_url', image_url: data },
    ],
  }

  test('all that a call to Doubao says becomes one vector', () => {
    const body = volcEngineEmbeddingsCodec.writeCall(read([pie]), () => {})
    const input = [
      { type: 'text', text: 'pie' },
      { type: 'image_url', image_url: { url: data } },
    ]
    expect(body).toEqual({ model: 'm', encoding_format: 'float', input })
  })

  test.each([
    ['openai-embeddings', { model: 'm', input: ['a', [1, 2], pie] }, 3, { model: 'm', input: [[1, 2], pie] }],
    ['openai-embeddings', { model: 'm', input: [1, 2] }, 1, { model: 'm', input: [2] }],
    ['openai-embeddings', { model: 'm', input: 'a' }, 1, { model: 'm', input: 'a' }],
    ['gemini-embeddings', { requests: [{ a: 1 }, { b: 2 }, { c: 3 }] }, 3, { requests: [{ b: 2 }, { c: 3 }] }],
    ['gemini-embeddings', { content: {} }, 1, { content: {}, requests: undefined }],
  ] as const)('a call of %s is divided by its inputs: %j', (id, body, count, share) => {
    expect(dialects[id].countInputs?.(body)).toBe(count)
    expect(dialects[id].withShare?.(body, { count: 2, before: 1 })).toEqual(share)
  })

  test('the responses of several calls are read as one, whose error is the first', () => {
    const one = {
      model: 'd',
      data: { embedding: [1, 2] },
      usage: { prompt_tokens: 9, total_tokens: 9, prompt_tokens_details: { image_tokens: 5, text_tokens: 4 } },
    }
    const usage = { ...noUsage, promptTokens: 9, imageTokens: 5 }
    const dialect = dialects['volcengine-embeddings']
    expect(volcEngineEmbeddingsCodec.readAnswer(one)).toEqual({ model: 'd', vectors: [[1, 2]], usage })
    const older = { ...one, data: [{ embedding: [[3]] }] }
    expect(volcEngineEmbeddingsCodec.readAnswer({ answers: [one, older] })).toEqual({
      model: 'd',
      vectors: [[1, 2], [3]],
      usage: { ...noUsage, promptTokens: 18, imageTokens: 10 },
    })
    expect(dialect.readAnswer({ answers: [one, older] })).toMatchObject({ usage: { promptTokens: 18 }, error: null })
    const failed = { error: { code: 'InvalidParameter', message: 'No.' } }
    expect(dialect.readAnswer({ answers: [one, failed] }).error?.message).toBe('No.')
    expect(dialect.readAnswer({ answers: [one, { ...one, usage: undefined }] }).usage).toBeNull()
  })

  test.each([
    ['tongyi-embedding-vision-plus-2026-03-06', { input: { contents: [{ text: 'pie', image: data }] } }],
    [
      'qwen3-vl-embedding',
      { input: { contents: [{ text: 'pie' }, { image: data }] }, parameters: { enable_fusion: true } },
    ],
    ['qwen2.5-vl-embedding', { input: { contents: [{ text: 'pie' }, { image: data }] } }],
  ])('what makes one vector together reaches %s together', (model, body) => {
    expect(dashScopeEmbeddingsCodec.writeCall({ ...read([pie]), model }, () => {})).toEqual({ model, ...body })
  })

  test('DashScope is asked for texts and pictures apart in one call, and its usage is read in both forms', () => {
    const body = dashScopeEmbeddingsCodec.writeCall({ ...read(['a', { image: data }]), dimensions: 8 }, () => {})
    expect(body).toEqual({
      model: 'm',
      input: { contents: [{ text: 'a' }, { image: data }] },
      parameters: { dimension: 8 },
    })
    const output = {
      embeddings: [
        { index: 1, embedding: [2], type: 'image' },
        { index: 0, embedding: [1], type: 'text' },
      ],
    }
    const details = {
      input_tokens: 923,
      input_tokens_details: { image_tokens: 896, text_tokens: 27 },
      output_tokens: 1,
    }
    for (const usage of [details, { input_tokens: 27, image_tokens: 896, image_count: 1 }])
      expect(dashScopeEmbeddingsCodec.readAnswer({ output, usage })).toEqual({
        model: '',
        vectors: [[1], [2]],
        usage: { ...noUsage, promptTokens: 923, imageTokens: 896 },
      })
  })

  test('Voyage is asked by its own members, and pixels are counted as the tokens that it bills', () => {
    const call = { ...read([pie, { image: 'https://x/y.png' }, 'a']), task: 'query', dimensions: 256 } as const
    expect(voyageEmbeddingsCodec.writeCall(call, () => {})).toEqual({
      model: 'm',
      inputs: [
        {
          content: [
            { type: 'text', text: 'pie' },
            { type: 'image_base64', image_base64: data },
          ],
        },
        { content: [{ type: 'image_url', image_url: 'https://x/y.png' }] },
        { content: [{ type: 'text', text: 'a' }] },
      ],
      input_type: 'query',
      output_dimension: 256,
    })
    const answer = {
      object: 'list',
      data: [{ object: 'embedding', embedding: [1], index: 0 }],
      model: 'voyage-multimodal-3.5',
      usage: { text_tokens: 5, image_pixels: 2_000_000, total_tokens: 3576 },
    }
    expect(voyageEmbeddingsCodec.readAnswer(answer).usage).toEqual({
      ...noUsage,
      promptTokens: 3576,
      imageTokens: 3571,
    })
  })

  test('pictures are counted for the hold', () => {
    const input = ['a', { image: data }, { type: 'image_url', image_url: { url: data } }]
    expect(dialects['openai-embeddings'].readPrompt({ model: 'm', input })).toMatchObject({ texts: ['a'], images: 2 })
  })
})

const vector = fc.array(
  fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  { minLength: 1 },
)
const answers = fc.record({
  model: fc.constant(''),
  vectors: fc.array(vector, { minLength: 1, maxLength: 5 }),
  usage: fc.integer({ min: 1, max: 1e6 }).map((promptTokens) => ({ ...noUsage, promptTokens })),
})

test('vectors, their order and the usage come back as they were written', () => {
  fc.assert(
    fc.property(answers, fc.boolean(), (answer, isPacked) => {
      const call = anEmbedding({ encoding: isPacked ? 'base64' : 'float' })
      for (const codec of [openAiEmbeddingsCodec, geminiEmbeddingsCodec])
        expect(codec.readAnswer(codec.writeAnswer(answer, { ...answeringAnEmbedding({}, ''), call }))).toEqual(answer)
    }),
  )
})

test('a call comes back as it was written', () => {
  const calls = fc
    .record({
      inputs: fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
      dimensions: fc.option(fc.integer({ min: 1, max: 4096 })),
    })
    .map(anEmbedding)
  fc.assert(
    fc.property(calls, (call) => {
      for (const codec of [openAiEmbeddingsCodec, geminiEmbeddingsCodec])
        expect(
          codec.readCall(
            codec.writeCall(call, () => {}),
            { ...inBody, model: 'm' },
          ),
        ).toEqual(call)
    }),
  )
})

test('nothing that is said breaks a reader', () => {
  const content = { parts: [{ text: 'a' }] }
  const bodies = [
    { model: 'm', input: ['a', [1, 2]], dimensions: 3, encoding_format: 'base64', user: 'u' },
    { model: 'm', content, taskType: 'CLUSTERING', title: 'T', outputDimensionality: 3 },
    { requests: [{ model: 'models/m', content }] },
    { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 1 } },
    { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 1 } },
    { embeddings: [{ values: [1], statistics: { tokenCount: 1 } }] },
    { embeddings: { float: [[1]] }, meta: { billed_units: { input_tokens: 1 } } },
    { embeddings: [[1]], prompt_eval_count: 1 },
    { answers: [{ data: { embedding: [1] }, usage: { prompt_tokens: 1 } }] },
    { output: { embeddings: [{ index: 0, embedding: [1] }] }, usage: { input_tokens: 1, image_tokens: 2 } },
  ]
  fc.assert(
    fc.property(mutationsOf(bodies), (body) => {
      const read = Object.values(upstreams).map((codec) => codec.readAnswer(body))
      for (const codec of [openAiEmbeddingsCodec, geminiEmbeddingsCodec])
        try {
          const call = codec.readCall(body, inBody)
          for (const answer of read) codec.writeAnswer(answer, { ...answeringAnEmbedding(), call })
          for (const upstream of Object.values(upstreams)) upstream.writeCall(call, () => {})
        } catch (error) {
          expect(error).toBeInstanceOf(DialectError)
        }
    }),
    { numRuns: 2_000 },
  )
}, 120_000)
