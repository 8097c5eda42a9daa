import { describe, expect, test } from 'bun:test'

import { DialectError } from '../core/dialect-error'
import { anEmbedding, answeringAnEmbedding } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { geminiEmbeddings as dialect, geminiEmbeddingsCodec as codec } from './gemini-embeddings'

const pathContext = { model: 'gemini-embedding-001', isStream: false }
const content = (text: string) => ({ parts: [{ text }] })
const one = { model: 'models/gemini-embedding-001', content: content('apple') }
const many = { requests: [one, { ...one, content: content('stone') }] }
const answering = answeringAnEmbedding()

describe('a request', () => {
  test('names its model in the path or in its body', () => {
    expect(dialect.readRequest(one, { ...pathContext, model: 'x' })).toMatchObject({ model: 'x', isStream: false })
    for (const body of [one, many])
      expect(dialect.readRequest(body, { ...pathContext, model: '' }).model).toBe('gemini-embedding-001')
    expect(dialect.readRequest(one, { ...pathContext, model: 'models/x' }).model).toBe('x')
  })

  test.each([
    [{}, 'content', 'missing_required_parameter'],
    [{ content: 'apple' }, 'content', 'invalid_type'],
    [{ content: {} }, 'content.parts', 'missing_required_parameter'],
    [{ content: { parts: 'apple' } }, 'content.parts', 'invalid_type'],
    [{ requests: {} }, 'requests', 'invalid_type'],
    [{ requests: [] }, 'requests', 'empty_array'],
    [{ requests: [one, 5] }, 'requests[1]', 'invalid_type'],
    [{ requests: [{}] }, 'requests[0].content', 'missing_required_parameter'],
  ] as const)('%j is refused for its %s', (body, param, code) => {
    let caught: unknown
    try {
      dialect.readRequest(body, pathContext)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(DialectError)
    expect(caught).toMatchObject({ param, code })
  })

  test('the prompt counts all texts', () => {
    expect(dialect.readPrompt(many)).toMatchObject({ texts: ['apple', 'stone'], messages: 0 })
    expect(dialect.readPrompt({ ...one, title: 'T' })).toMatchObject({ texts: ['apple', 'T'] })
  })

  test('goes on with another model wherever it repeats it, and untouched with its own', () => {
    expect(dialect.withModel?.(many, 'gemini-embedding-001')).toBe(many)
    expect(dialect.withModel?.(one, 'gemini-embedding-001')).toBe(one)
    expect(dialect.withModel?.({ content: one.content }, 'x')).toEqual({ content: one.content })
    expect(dialect.withModel?.(one, 'x')).toEqual({ ...one, model: 'models/x' })
    expect(dialect.withModel?.(many, 'x')).toMatchObject({ requests: [{ model: 'models/x' }, { model: 'models/x' }] })
  })

  test('a request is read completely', () => {
    const body = { ...one, taskType: 'RETRIEVAL_DOCUMENT', title: 'T', output_dimensionality: 256 }
    expect(codec.readCall(body, pathContext)).toEqual(
      anEmbedding({
        model: 'gemini-embedding-001',
        inputs: ['apple'],
        isBatch: false,
        dimensions: 256,
        task: 'document',
        title: 'T',
      }),
    )
    expect(codec.readCall(many, pathContext)).toMatchObject({ inputs: ['apple', 'stone'], isBatch: true })
  })

  test('a request is written as a batch', () => {
    const warnings: string[] = []
    const call = anEmbedding({ dimensions: 3, task: 'query', user: 'u' })
    const requested = { model: 'models/m', taskType: 'RETRIEVAL_QUERY', outputDimensionality: 3 }
    expect(codec.writeCall(call, (what) => warnings.push(what))).toEqual({
      requests: [
        { ...requested, content: content('apple') },
        { ...requested, content: content('stone') },
      ],
    })
    expect(warnings).toEqual(['user'])
    expect(() => codec.writeCall(anEmbedding({ inputs: [[1, 2]] }), () => {})).toThrow(DialectError)
  })
})

describe('an answer', () => {
  const usage = { ...noUsage, promptTokens: 5 }

  test('a response with one or many vectors is read, with usage where it is reported', () => {
    expect(codec.readAnswer({ embedding: { values: [1, 2] } })).toEqual({ model: '', vectors: [[1, 2]], usage: null })
    expect(
      codec.readAnswer({ embeddings: [{ values: [1] }, { values: [2] }], usageMetadata: { promptTokenCount: 5 } }),
    ).toEqual({ model: '', vectors: [[1], [2]], usage })
    const statistics = [{ tokenCount: 2 }, { tokenCount: 3 }]
    expect(
      dialect.readAnswer({ embeddings: statistics.map((each) => ({ values: [1], statistics: each })) }).usage,
    ).toEqual(usage)
  })

  test('a response is written in the form of its request', () => {
    const answer = { model: '', vectors: [[1, 2]], usage }
    const usageMetadata = { promptTokenCount: 5 }
    expect(codec.writeAnswer(answer, answering)).toEqual({ embeddings: [{ values: [1, 2] }], usageMetadata })
    expect(codec.writeAnswer(answer, { ...answering, call: anEmbedding({ isBatch: false }) })).toEqual({
      embedding: { values: [1, 2] },
      usageMetadata,
    })
  })

  test('an error body is seen as an error', () => {
    expect(
      dialect.readAnswer({ error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT' } }).error,
    ).toMatchObject({
      message: 'No.',
      status: 400,
    })
  })
})
