import { describe, expect, test } from 'bun:test'

import { dialects } from '@tollgate/dialects'

import {
  cacheOnceLoaded,
  countCompletionTokens,
  countPromptTokens,
  countTokens,
  estimatePromptTokens,
  estimateTokens,
  usesNewerEncoding,
} from './tokens'

const chat = (...messages: object[]) => dialects['openai-chat'].readPrompt({ messages })

describe('counting', () => {
  test.each([
    ['gpt-4o', 'hello world', 2],
    ['gpt-4', 'hello world', 2],
    ['gpt-4o', '', 0],
    ['gpt-4o', '你好，世界', 3],
    ['gpt-4', '你好，世界', 6],
  ])('%s: %j is %d', async (model, text, tokens) => {
    expect(await countTokens(text, model)).toBe(tokens)
  })

  test('control tokens are counted as plain text', async () => {
    expect(await countTokens('<|endoftext|>', 'gpt-4o')).toBeGreaterThan(3)
  })

  test('a tokenizer that could not be loaded is loaded again on next use, and then kept', async () => {
    const loads = [
      () => Promise.reject(new Error('EMFILE')),
      () => Promise.resolve('first'),
      () => Promise.resolve('second'),
    ]
    const load = cacheOnceLoaded(() => loads.shift()?.() ?? Promise.resolve('too often'))
    expect(await load().catch(String)).toBe('Error: EMFILE')
    expect([await load(), await load()]).toEqual(['first', 'first'])
  })

  test('the vocabulary depends on the model', () => {
    for (const model of ['gpt-4o', 'gpt-4.1-mini', 'gpt-5', 'o3-mini', 'openai/gpt-4o', 'chatgpt-4o-latest'])
      expect(usesNewerEncoding(model)).toBe(true)
    for (const model of ['gpt-4', 'gpt-4-turbo', 'claude-3', 'ollama', 'deepseek-chat'])
      expect(usesNewerEncoding(model)).toBe(false)
  })

  test('a chat adds the tokens of its form', async () => {
    expect(await countPromptTokens(chat({ role: 'user', content: 'hello world' }), 'gpt-4o')).toBe(3 + 4 + 2)
    expect(await countPromptTokens(chat({ role: 'user', name: 'ann', content: 'hello world' }), 'gpt-4o')).toBe(
      3 + 4 + 2 + 1 + 1,
    )
    const inputs = dialects['openai-embeddings'].readPrompt({ input: ['hello world', 'hello world'] })
    expect(await countPromptTokens(inputs, 'text-embedding-3-small')).toBe(4)
    expect(await countPromptTokens(dialects['openai-embeddings'].readPrompt({ input: [1, 2, 3] }), 'x')).toBe(3)
  })

  test('images, audio and files are counted without fetching them', async () => {
    const content = [
      { type: 'image_url', image_url: { url: 'u', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'u' } },
      { type: 'input_audio' },
      { type: 'file' },
    ]
    expect(await countPromptTokens(chat({ role: 'user', content }), 'gpt-4o')).toBe(3 + 4 + 85 + 765 + 100 + 5000)
  })

  test('a file that is text is counted as its text', async () => {
    const text = 'hello world '.repeat(30)
    const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` }
    const prompt = chat({ role: 'user', content: [{ type: 'file', file }] })
    expect(await countPromptTokens(prompt, 'gpt-4o')).toBe(3 + 4 + (await countTokens(text, 'gpt-4o')))
    expect(estimatePromptTokens(prompt)).toBe(3 + 4 + 360 / 3)
  })

  test('tool calls add to the tokens of a response', async () => {
    expect(await countCompletionTokens('hello world', 2, 'gpt-4o')).toBe(2 + 14)
  })

  test('counting a long text yields to other work', async () => {
    let turns = 0
    let isOver = false
    const work = () => {
      turns += 1
      if (!isOver) setImmediate(work)
    }
    setImmediate(work)
    const tokens = await countTokens('lorem ipsum '.repeat(10_000), 'gpt-4o')
    isOver = true
    expect(tokens).toBeGreaterThan(20_000)
    expect(turns).toBeGreaterThan(5)
  })

  test('slices of a long text do not split characters', async () => {
    const text = 'x'.repeat(1999) + '🦊'.repeat(10)
    expect(await countTokens(text, 'gpt-4o')).toBeLessThan(350)
  })
})

describe('the estimate without a tokenizer', () => {
  test.each([
    ['prose', 'The quick brown fox jumps over the lazy dog, and runs into the forest. '.repeat(20)],
    ['code', 'function add(a: number, b: number): number {\n  return a + b\n}\n'.repeat(20)],
    ['JSON', JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id: id * 7919, name: `item_${id}` })))],
    ['Chinese', '今天天气很好，我们一起去公园散步吧。'.repeat(50)],
    ['Russian', 'Съешь же ещё этих мягких французских булок. '.repeat(30)],
    ['emoji', '🦊🎉 '.repeat(100)],
  ])('the estimate is close to the count: %s', async (_name, text) => {
    const share = estimateTokens(text) / (await countTokens(text, 'gpt-4o'))
    expect(share).toBeWithin(0.4, 2.5)
  })

  test('the estimate of a prompt counts tools, form and media too', () => {
    const tools = [
      { type: 'function', function: { name: 'f', description: 'x'.repeat(400), parameters: { a: [1, null] } } },
    ]
    const messages = [{ role: 'user', content: 'x'.repeat(400) }]
    const shape = dialects['openai-chat'].readPrompt({ messages, tools })
    expect(estimatePromptTokens(shape)).toBeWithin(215, 260)
    expect(estimateTokens('')).toBe(0)
  })
})
