import { expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import { dialects } from '../dialects'

const numbers = [1e9, 2 ** 53, 1e300, Infinity, NaN, -5, 0.5, 1.5, '1000000000', '0-999999999', '5-1', [1e9], {}]

/** Every member that says how much a request asks for. */
const bodyWith = (amount: unknown) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  prompt: 'hi',
  input: 'hi',
  query: 'hi',
  documents: ['hi'],
  suffix: '',
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  instances: [{ prompt: 'hi' }],
  document: { type: 'document_url', document_url: 'https://files.example/a.pdf' },
  n: amount,
  best_of: amount,
  pages: amount,
  num_generations: amount,
  generationConfig: { candidateCount: amount },
  parameters: { sampleCount: amount },
  sequential_image_generation: 'auto',
  sequential_image_generation_options: { max_images: amount },
})

test.each(Object.keys(dialects) as (keyof typeof dialects)[])(
  'a request of %s asks for a whole number of choices that is bounded, whatever its members say',
  (id) => {
    for (const amount of numbers) {
      const members = bodyWith(amount)
      const alone = [
        'n',
        'best_of',
        'pages',
        'num_generations',
        'generationConfig',
        'parameters',
        'sequential_image_generation_options',
      ]
      for (const name of ['', ...alone]) {
        const entries = Object.entries(members).filter(([key]) => name === '' || key === name || !alone.includes(key))
        expect([id, name, amount, choicesOf(id, Object.fromEntries(entries))]).toEqual([id, name, amount, true])
      }
    }
  },
)

/** Returns whether the request is refused, or its choices are bounded. */
function choicesOf(id: keyof typeof dialects, body: Record<string, unknown>): boolean {
  try {
    const { choices } = dialects[id].readRequest(body, inBody)
    return Number.isInteger(choices) && choices >= 1 && choices <= 4096
  } catch (error) {
    return error instanceof DialectError
  }
}

test('a text completion asks for 4,096 completions of all its prompts at most', () => {
  const { readRequest } = dialects['openai-completions']
  const prompt = Array.from({ length: 4096 }, () => 'a')
  expect(readRequest({ model: 'm', prompt }, inBody).choices).toBe(4096)
  expect(() => readRequest({ model: 'm', prompt, n: 2 }, inBody)).toThrow(DialectError)
})
