import { describe, expect, test } from 'bun:test'
import { dialects } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { SeedreamUnframer } from './seedream-unframer'

const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const createImageEvent = (image_index: number, size: string) =>
  event('image_generation.partial_succeeded', {
    model: 'doubao-seedream-4-0-250828',
    created: 1_757_396_757,
    image_index,
    url: `https://example.com/${image_index}.png`,
    size,
  })
const failed = event('image_generation.partial_failed', {
  image_index: 1,
  error: { code: 'OutputImageSensitiveContentDetected', message: 'Blocked.' },
})
const createCompletedEvent = (output_tokens: number) =>
  event('image_generation.completed', { usage: { generated_images: 2, output_tokens, total_tokens: output_tokens } })
const done = 'data: [DONE]\n\n'

/** What comes out when the text arrives in these pieces. */
function unframe(...pieces: readonly (string | Uint8Array)[]): string {
  const unframer = new SeedreamUnframer()
  const parts = pieces.map((piece) => Buffer.from(unframer.push(Buffer.from(piece))))
  return Buffer.concat([...parts, Buffer.from(unframer.end())]).toString()
}

const eventsIn = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Record<string, unknown>)

describe('the stream of Seedream', () => {
  test('each image is complete when it comes, and their tokens add up to the total', () => {
    const events = eventsIn(
      unframe(
        createImageEvent(0, '2048x2048') + createImageEvent(1, '1024x1024') + createCompletedEvent(20_490) + done,
      ),
    )
    expect(events).toMatchObject([
      { type: 'image_generation.completed', url: 'https://example.com/0.png', usage: { output_tokens: 16_384 } },
      { type: 'image_generation.completed', url: 'https://example.com/1.png', usage: { output_tokens: 4106 } },
    ])
  })

  test('a stream is read the same however it is cut', () => {
    const bytes = Buffer.from(
      createImageEvent(0, '2048x2048') +
        failed +
        createImageEvent(2, '1024x1024') +
        createCompletedEvent(20_480) +
        done,
    )
    const whole = unframe(bytes)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: bytes.length }),
        fc.integer({ min: 0, max: bytes.length }),
        (one, other) => {
          const [first, second] = [Math.min(one, other), Math.max(one, other)]
          expect(unframe(bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second))).toBe(whole)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('images that came before a stream broke off are charged by their size', () => {
    const tap = dialects['openai-images'].createTap({ swallowUsage: false, addUsage: false })
    tap.push(Buffer.from(unframe(createImageEvent(0, '2048x2048'), createImageEvent(1, '1024x1024').slice(0, 60))))
    tap.end()
    expect(tap.usage).toMatchObject({ completionTokens: 16_384, details: { image_count: 1 } })
  })

  test('a stream in which every image failed is a failure', () => {
    expect(eventsIn(unframe(failed + createCompletedEvent(0)))).toEqual([
      { error: { code: 'OutputImageSensitiveContentDetected', message: 'Blocked.' } },
    ])
  })

  test('a refusal and an answer in one piece are read as such', () => {
    expect(eventsIn(unframe('{"error":{"code":"x","message":"No."}}'))).toEqual([
      { error: { code: 'x', message: 'No.' } },
    ])
    const answer = { created: 5, data: [{ url: 'https://example.com/a.png' }], usage: { output_tokens: 16_384 } }
    expect(unframe(JSON.stringify(answer))).toContain('event: image_generation.completed')
  })
})
