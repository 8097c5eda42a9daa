import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import { anEmbedding, answeringAnEmbedding } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { openAiEmbeddingsCodec as codec } from './openai-embeddings'

const usage = { ...noUsage, promptTokens: 8 }

describe('a request', () => {
  test('a request is read completely', () => {
    const body = {
      model: 'text-embedding-3-small',
      input: ['apple', 'stone'],
      dimensions: 256,
      encoding_format: 'base64',
      user: 'u',
      input_type: 'query',
      seed: 7,
    }
    expect(codec.readCall(body, inBody)).toEqual(
      anEmbedding({
        model: 'text-embedding-3-small',
        dimensions: 256,
        encoding: 'base64',
        task: 'query',
        user: 'u',
        own: { seed: 7 },
      }),
    )
  })

  test.each([
    ['apple', ['apple']],
    [[1, 2], [[1, 2]]],
    [
      [[1], [2, 3]],
      [[1], [2, 3]],
    ],
    [
      ['a', { text: 'b' }],
      ['a', 'b'],
    ],
  ])('%j is its inputs', (input, inputs) => {
    expect(codec.readCall({ model: 'm', input }, inBody).inputs).toEqual(inputs)
  })

  test.each([
    [{ input: [1, 'a'] }, 'input[0]'],
    [{ input: [] }, 'input'],
    [{ input: 'a', encoding_format: 'int8' }, 'encoding_format'],
    [{ input: 'a', dimensions: 0 }, 'dimensions'],
  ])('%j is refused for its %s', (body, param) => {
    expect(() => codec.readCall({ model: 'm', ...body }, inBody)).toThrow(DialectError)
    expect(() => codec.readCall({ model: 'm', ...body }, inBody)).toThrow(param)
  })

  test('a request is written with the members an upstream knows', () => {
    const warnings: string[] = []
    const call = anEmbedding({ inputs: ['apple'], dimensions: 3, task: 'query', title: 'T', user: 'u' })
    expect(codec.writeCall(call, (what) => warnings.push(what))).toEqual({
      model: 'm',
      input: 'apple',
      dimensions: 3,
      user: 'u',
    })
    expect(warnings).toEqual(['the task', 'the title'])
    expect(codec.writeCall(anEmbedding({ inputs: [[1, 2]] }), () => {})['input']).toEqual([1, 2])
    expect(codec.writeCall(anEmbedding(), () => {})['input']).toEqual(['apple', 'stone'])
  })
})

describe('an answer', () => {
  test('vectors are read in the order of the inputs, packed or not', () => {
    const answer = {
      object: 'list',
      data: [
        { object: 'embedding', index: 1, embedding: [0.5, -1] },
        { object: 'embedding', index: 0, embedding: 'AACAPwAAAMA=' },
      ],
      model: 'text-embedding-3-small',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    }
    expect(codec.readAnswer(answer)).toEqual({
      model: 'text-embedding-3-small',
      vectors: [
        [1, -2],
        [0.5, -1],
      ],
      usage,
    })
  })

  test('a response has one item per vector, packed as the client asked', () => {
    const vectors = [[1, -2], [0.1]]
    const answer = codec.writeAnswer(
      { model: 'upstream', vectors, usage },
      answeringAnEmbedding({ encoding: 'base64' }),
    )
    // As other programs write them: struct.pack('<2f', 1, -2) and struct.pack('<f', 0.1).
    expect(answer).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: 'AACAPwAAAMA=' },
        { object: 'embedding', index: 1, embedding: 'zczMPQ==' },
      ],
      model: 'mine',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    })
    const plain = codec.writeAnswer({ model: '', vectors, usage: null }, answeringAnEmbedding())
    expect(plain).toMatchObject({ data: [{ embedding: [1, -2] }, { embedding: [0.1] }] })
  })
})
