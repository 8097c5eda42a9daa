import { expect, test } from 'bun:test'

import { UpstreamError } from './upstream-error'
import { parseInTurns, responseLimits } from './parse-response-object'

const objectOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) })

/** Resolves with how many turns of the event loop passed while this was awaited. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const beat = () => {
    turns += 1
    if (!isOver) setImmediate(beat)
  }
  setImmediate(beat)
  await work
  isOver = true
  return turns
}

test('the object of a long response is parsed in several turns of the event loop, that of a short one at once', async () => {
  const long = Buffer.from(objectOf(2 * 1024 * 1024))
  expect(await turnsOf(parseInTurns(long))).toBeGreaterThanOrEqual(1)
  expect(await turnsOf(parseInTurns(Buffer.from(objectOf(10))))).toBe(0)
  expect(await parseInTurns(long)).toEqual({ text: 'x'.repeat(2 * 1024 * 1024) })
})

test.each(['{"a":', '[1]'])('a response that is %p is malformed, long or short', async (text) => {
  for (const padding of [0, 2 * 1024 * 1024]) {
    const error: unknown = await parseInTurns(Buffer.from(' '.repeat(padding) + text)).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(UpstreamError)
  }
})

test('an answer of a chat may hold megabytes of base64, but not of text, and less of it where it is translated', async () => {
  const text = Buffer.from(JSON.stringify({ text: 'a b '.repeat(3 * 1024 * 1024) }))
  const imageText = Buffer.from(JSON.stringify({ image: 'x'.repeat(12 * 1024 * 1024) }))
  const chat = { dialect: 'openai-chat' } as const
  const refused = parseInTurns(text, responseLimits(chat, true))
  expect(await refused.catch((error: unknown) => error)).toMatchObject({ fault: 'malformed', status: 502 })
  expect(await parseInTurns(text, responseLimits(chat, false))).toHaveProperty('text')
  expect(await parseInTurns(imageText, responseLimits(chat, true))).toHaveProperty('image')
  expect(responseLimits({ dialect: 'openai-embeddings' }, true)).toBeUndefined()
})
