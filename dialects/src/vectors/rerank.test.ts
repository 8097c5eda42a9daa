import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import { mutationsOf } from '../core/neutral/test/mutate'
import { noUsage } from '../core/usage'
import { completeRerank, rerank, writeCommonRerank, writePlainRerank } from './rerank'

const min = { model: 'jina-reranker-v2', query: 'a fruit', documents: ['apple', 'stone'] }
const results = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 },
]
const usage = { ...noUsage, promptTokens: 12 }

describe('a request', () => {
  test('a request is viewed with what it asks for', () => {
    expect(rerank.readRequest({ ...min, top_n: 1, return_documents: true }, inBody)).toEqual({
      model: 'jina-reranker-v2',
      isStream: false,
      includeUsage: false,
      maxOutputTokens: 0,
      choices: 1,
    })
    expect(rerank.readRequest({ ...min, top_n: 0, documents: [{ text: 'a' }] }, inBody).model).toBe(min.model)
  })

  test.each([
    [{ ...min, model: undefined }, 'model', 'missing_required_parameter'],
    [{ ...min, query: undefined }, 'query', 'missing_required_parameter'],
    [{ ...min, query: '' }, 'query', 'missing_required_parameter'],
    [{ ...min, query: 5 }, 'query', 'invalid_type'],
    [{ ...min, documents: undefined }, 'documents', 'missing_required_parameter'],
    [{ ...min, documents: 'apple' }, 'documents', 'invalid_type'],
    [{ ...min, documents: [] }, 'documents', 'empty_array'],
    [{ ...min, documents: ['a', 5] }, 'documents[1]', 'invalid_type'],
    [{ ...min, top_n: -1 }, 'top_n', 'integer_below_min_value'],
    [{ ...min, return_documents: 'yes' }, 'return_documents', 'invalid_type'],
  ] as const)('%j is refused for its %s', (body, param, code) => {
    let caught: unknown
    try {
      rerank.readRequest(body, inBody)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(DialectError)
    expect(caught).toMatchObject({ param, code })
  })

  test('the prompt counts the query and all documents', () => {
    const documents = ['apple', { text: 'stone', id: 7 }, { title: 'T' }, { image: 'https://x/y.png' }]
    expect(rerank.readPrompt({ ...min, documents })).toMatchObject({
      texts: ['a fruit', 'apple', 'stone', '{"title":"T"}'],
      images: 1,
      messages: 0,
    })
  })
})

describe('usage', () => {
  test.each([
    ['Jina', { usage: { total_tokens: 12 } }, 12],
    ['with both counts', { usage: { prompt_tokens: 12, total_tokens: 12 } }, 12],
    ['Cohere by tokens', { meta: { billed_units: { input_tokens: 10, output_tokens: 2 } } }, 12],
    [
      'SiliconFlow',
      { meta: { billed_units: { search_units: 0 }, tokens: { input_tokens: 12, output_tokens: 0 } } },
      12,
    ],
  ])('the usage of %s is all the prompt’s', (_, reported, promptTokens) => {
    expect(rerank.readAnswer({ results, ...reported }).usage).toEqual({ ...noUsage, promptTokens })
  })

  test('a usage of searches alone is ignored', () => {
    const view = rerank.readAnswer({
      results,
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    })
    expect(view).toMatchObject({ usage: null, error: null, isEmpty: false })
  })

  test('errors with a good status are seen', () => {
    expect(rerank.readAnswer({ error: { message: 'No.' } }).error).toMatchObject({ message: 'No.' })
  })
})

describe('for vendors that rank texts and no more', () => {
  test('a request is made plain', () => {
    const warnings: string[] = []
    const body = {
      ...min,
      documents: ['apple', { text: 'stone' }, { title: 'T' }],
      return_documents: true,
      max_chunk_per_doc: 3,
      overlap_tokens: null,
      priority: 1,
    }
    expect(writePlainRerank(body, (what) => warnings.push(what))).toEqual({
      model: 'jina-reranker-v2',
      query: 'a fruit',
      documents: ['apple', 'stone', '{"title":"T"}'],
      top_n: 3,
      priority: 1,
    })
    expect(warnings).toEqual(['max_chunk_per_doc'])
    expect(writePlainRerank({ ...min, top_n: 1 }, () => {})['top_n']).toBe(1)
    expect(writePlainRerank({ ...min, top_n: 0 }, () => {})['top_n']).toBe(2)
  })

  test('an answer gets the documents, in one form, only when they were asked for', () => {
    const request = { ...min, documents: ['apple', { text: 'stone', id: 7 }], return_documents: true }
    expect(completeRerank({ id: 'r', results }, request, usage)).toEqual({
      id: 'r',
      results: [
        { index: 1, relevance_score: 0.9, document: { text: 'stone', id: 7 } },
        { index: 0, relevance_score: 0.1, document: { text: 'apple' } },
      ],
      usage: { prompt_tokens: 12, total_tokens: 12 },
    })
    const reported = [{ index: 0, relevance_score: 1, document: 'apple' }]
    expect(completeRerank({ results: reported }, request, usage)['results']).toEqual([
      { index: 0, relevance_score: 1, document: { text: 'apple' } },
    ])
    expect(completeRerank({ results }, min, usage)['results']).toEqual(results)
  })

  test('results that the vendor calls data are named results', () => {
    const reported = { object: 'list', data: results, model: 'rerank-2.5', usage: { total_tokens: 26 } }
    expect(completeRerank(reported, min, usage)).toEqual({
      object: 'list',
      model: 'rerank-2.5',
      results,
      usage: { total_tokens: 26 },
    })
  })

  test('clients of Voyage send and receive its own names', () => {
    const request = { ...min, top_k: 1, truncation: true, return_documents: true }
    expect(writeCommonRerank(request)).toEqual({ ...min, top_n: 1, return_documents: true })
    expect(writeCommonRerank({ ...min, top_k: null, truncation: true })).toEqual(min)
    expect(writeCommonRerank(min)).toBe(min)
    expect(writePlainRerank(request, () => {})).toEqual({ ...min, top_n: 1 })
    expect(completeRerank({ model: 'm', results }, request, usage)).toEqual({
      object: 'list',
      model: 'm',
      data: [{ index: 1, relevance_score: 0.9, document: 'stone' }],
      usage: { total_tokens: 12 },
    })
  })

  test.each(['rerank-2.5', 'rerank-lite-1'])('an answer of %s is in the form of Voyage too', (model) => {
    expect(completeRerank({ results }, { ...min, model }, usage)).toEqual({
      object: 'list',
      data: results,
      results,
      usage: { total_tokens: 12 },
    })
  })

  test('an answer that lacks nothing stays as it is', () => {
    const whole = { results, usage: { total_tokens: 5 } }
    expect(completeRerank(whole, min, usage)).toBe(whole)
    expect(completeRerank(whole, { ...min, return_documents: true }, usage)['usage']).toEqual({ total_tokens: 5 })
  })

  test('results beyond the wanted number are dropped, and an invalid index brings no document', () => {
    expect(completeRerank({ results }, { ...min, top_n: 1 }, usage)['results']).toEqual(results.slice(0, 1))
    const strange = [{ index: 7, relevance_score: 1 }]
    expect(completeRerank({ results: strange }, { ...min, return_documents: true }, usage)['results']).toEqual(strange)
  })
})

test('nothing that is said breaks a reader', () => {
  const bodies = [
    { ...min, documents: ['a', { text: 'b' }], top_n: 1, return_documents: true },
    { results, usage: { total_tokens: 3 }, meta: { billed_units: { input_tokens: 1 } } },
  ]
  fc.assert(
    fc.property(mutationsOf(bodies), mutationsOf(bodies), (request, answer) => {
      rerank.readAnswer(answer)
      rerank.readPrompt(request)
      writePlainRerank(request, () => {})
      completeRerank(answer, request, usage)
      try {
        rerank.readRequest(request, inBody)
      } catch (error) {
        expect(error).toBeInstanceOf(DialectError)
      }
    }),
    { numRuns: 2_000 },
  )
}, 120_000)
