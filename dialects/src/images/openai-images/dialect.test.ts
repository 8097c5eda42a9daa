import { describe, expect, test } from 'bun:test'

import { inBody } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { outlineOf } from '../../core/json-text'
import { noUsage } from '../../core/usage'
import { openAiImages as dialect } from './dialect'
import { maxImageTokens } from './request'

const view = (body: object) => dialect.readRequest({ model: 'm', prompt: 'ice', ...body }, inBody)

describe('a request', () => {
  test('a request keeps its count, size and quality', () => {
    const { maxOutputTokens, ...read } = view({ n: 3, size: '1024x1536', quality: 'low' })
    expect(read).toEqual({
      model: 'm',
      isStream: false,
      includeUsage: true,
      choices: 3,
      image: { size: '1024x1536', quality: 'low' },
    })
    expect(maxOutputTokens).toBeGreaterThanOrEqual(408)
  })

  test('a size or quality of auto is left to the vendor', () => {
    expect(view({ size: 'auto', quality: 'auto' }).image).toEqual({ size: null, quality: null })
    expect(dialect.readRequest({ prompt: 'ice' }, inBody).model).toBe('dall-e-2')
  })

  test.each([
    [{ batch_size: 4 }, 4],
    [{ n: 1, num_images: 3, samples: 2 }, 3],
    [{ n: 2, num_outputs: null }, 2],
  ])('%j asks for as many pictures as any host may read in it', (body, choices) => {
    expect(view(body).choices).toBe(choices)
  })

  test('a share of a request asks for its own pictures alone', () => {
    const body = { model: 'm', prompt: 'ice', n: 1, batch_size: 4 }
    expect(dialect.withShare?.(body, { count: 1, before: 0 })).toEqual({ model: 'm', prompt: 'ice', n: 1 })
  })

  test.each([
    [{ prompt: '' }, 'prompt', 'missing_required_parameter'],
    [{ prompt: ['ice'] }, 'prompt', 'invalid_type'],
    [{ n: 0 }, 'n', 'integer_below_min_value'],
    [{ n: 1000 }, 'n', 'integer_above_max_value'],
    [{ batch_size: 1000 }, 'batch_size', 'integer_above_max_value'],
    [{ batch_size: '4' }, 'batch_size', 'invalid_type'],
    [{ size: '1024×1024' }, 'size', 'invalid_value'],
    [{ size: 1024 }, 'size', 'invalid_type'],
    [{ stream: 'yes' }, 'stream', 'invalid_type'],
  ] as const)('%j is refused for its %s', (body, param, code) => {
    let caught: unknown
    try {
      view(body)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(DialectError)
    expect(caught).toMatchObject({ param, code })
  })

  // https://platform.openai.com/docs/guides/image-generation#calculating-costs
  test.each([
    ['1024x1024', 'low', 272],
    ['1024x1536', 'low', 408],
    ['1024x1024', 'medium', 1056],
    ['1536x1024', 'medium', 1568],
    ['1024x1024', 'high', 4160],
    ['1024x1536', 'high', 6240],
    [null, null, 6240],
  ])('holds at least the published tokens of %s in %s quality', (size, quality, tokens) => {
    expect(maxImageTokens({ size, quality })).toBeGreaterThanOrEqual(tokens)
    expect(maxImageTokens({ size, quality }, 3)).toBe(maxImageTokens({ size, quality }) + 300)
  })
})

describe('a whole answer', () => {
  test('usage counts the images in the response and keeps their size and quality', () => {
    const answer = {
      data: [{ b64_json: 'AAAA' }, { b64_json: 'AAAA' }, { error: { message: 'blocked' } }],
      size: '1024x1024',
      quality: 'high',
      usage: {
        input_tokens: 50,
        output_tokens: 60,
        total_tokens: 110,
        input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        output_tokens_details: { text_tokens: 10, image_tokens: 50 },
      },
    }
    const { usage, isEmpty, error } = dialect.readAnswer(answer)
    expect(usage).toEqual({
      ...noUsage,
      promptTokens: 50,
      completionTokens: 60,
      imageTokens: 40,
      details: {
        image_count: 2,
        image_size: '1024x1024',
        image_quality: 'high',
        completion_modalities: { TEXT: 10, IMAGE: 50 },
      },
    })
    expect({ isEmpty, error }).toEqual({ isEmpty: false, error: null })
  })

  test('a response without usage still counts its images', () => {
    expect(dialect.readAnswer({ images: [{ url: 'https://example.com/a.png' }] }).usage).toEqual({
      ...noUsage,
      unreported: 'all',
      details: { image_count: 1 },
    })
  })

  test('a response without images is an error', () => {
    expect(dialect.readAnswer({ data: [] }).error).not.toBeNull()
    expect(dialect.readAnswer({ data: [{ revised_prompt: 'ice' }] }).error).not.toBeNull()
  })

  test('an outline yields the same usage, whatever its long strings hold', () => {
    const answer = {
      data: [{ b64_json: 'A'.repeat(100_000) }, { b64_json: `${'\\"'.repeat(20_000)}\\` }],
      usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11 },
    }
    const bytes = new TextEncoder().encode(JSON.stringify(answer))
    const outline = outlineOf(bytes)
    expect(outline.length).toBeLessThan(300)
    expect(dialect.readAnswer(JSON.parse(Buffer.from(outline).toString())).usage).toEqual(
      dialect.readAnswer(answer).usage,
    )
    expect(outlineOf(outline)).toBe(outline)
    const cutOff = bytes.subarray(0, bytes.length - 30)
    expect(() => JSON.parse(Buffer.from(outlineOf(cutOff)).toString()) as unknown).toThrow()
  })
})

describe('a stream', () => {
  const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const big = 'A'.repeat(3_000_000)
  const partial = event('image_generation.partial_image', { b64_json: big, partial_image_index: 0 })
  const usage = (output: number) => ({ input_tokens: 10, output_tokens: output, total_tokens: 10 + output })
  const complete = (output: number) =>
    event('image_generation.completed', { b64_json: big, size: '1024x1024', quality: 'low', usage: usage(output) })
  const tapOf = (text: string, step: number) => {
    const tap = dialect.createTap({ swallowUsage: false, addUsage: false })
    const bytes = new TextEncoder().encode(text)
    const forwarded: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += step) forwarded.push(tap.push(bytes.subarray(at, at + step)).slice())
    return { tap, forwarded: Buffer.concat(forwarded).toString() }
  }

  test('the last image of a stream is held back until the call is charged', () => {
    const { tap, forwarded } = tapOf(partial + complete(272) + complete(300), 65_536)
    expect(forwarded).toBe(partial + complete(272))
    expect(tap.usage).toMatchObject({
      promptTokens: 20,
      completionTokens: 572,
      details: { image_count: 2, image_size: '1024x1024', image_quality: 'low' },
    })
    expect({ isFinished: tap.isFinished, isEmpty: tap.isEmpty, contentEvents: tap.contentEvents }).toEqual({
      isFinished: true,
      isEmpty: false,
      contentEvents: 3,
    })
    expect(Buffer.from(tap.finish(tap.usage)).toString()).toBe(complete(300))
  })

  test('a stream that breaks off before an image is complete has no usage', () => {
    const { tap } = tapOf(partial + complete(272).slice(0, 1_000_000), 65_536)
    tap.end()
    expect({ usage: tap.usage, isFinished: tap.isFinished, isEmpty: tap.isEmpty }).toEqual({
      usage: null,
      isFinished: false,
      isEmpty: true,
    })
  })

  test('an error event of a stream is reported', () => {
    const { tap } = tapOf(event('error', { error: { message: 'Blocked.', code: 'moderation_blocked' } }), 1000)
    expect(tap.error).toMatchObject({ message: 'Blocked.', code: 'moderation_blocked' })
  })
})
