import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { measureMedia, maxMediaTokens, type MeasuredMedia } from './media-tokens'

const image = (width: number, height: number, isCoarse = false): MeasuredMedia => ({
  images: [{ size: { width, height }, isCoarse }],
  seconds: [],
})
const remote: MeasuredMedia = { images: [{ size: null, isCoarse: false }], seconds: [] }

describe('the token bound of an image', () => {
  test.each<[string, MeasuredMedia, number]>([
    ['gpt-4o', image(1024, 1024), 85 + 170 * 4],
    ['gpt-4o', image(2048, 4096), 85 + 170 * 6],
    ['gpt-4o', image(300, 200), 85 + 170],
    ['gpt-4o', image(4096, 4096, true), 85],
    ['gpt-4o', remote, 85 + 170 * 8],
    ['gpt-4o-mini', image(1024, 1024), 2833 + 5667 * 4],
    ['gpt-4.1-mini', image(1024, 1024), Math.ceil(1024 * 1.62)],
    ['gpt-5.5', image(1024, 1024), 1024],
    ['gpt-5.5', image(10_000, 10_000), 10_000],
    ['claude-opus-4-6', image(1000, 1000), 1334],
    ['anthropic/claude-opus-4-6', image(8000, 8000), 4784],
    ['gemini-2.5-flash', image(300, 300), 258],
    ['gemini-2.5-flash', image(960, 540), 6 * 258],
    ['gemini-3-pro-preview', image(10, 10), 2240],
    ['qwen-vl-max', image(1120, 1120), 1600],
    ['unknown-vision', image(1120, 1120), 1600],
    ['unknown-vision', remote, 4784],
    ['gpt-4.1-mini', remote, Math.ceil(1536 * 1.62)],
    ['gpt-4.1-nano', image(64, 64), Math.ceil(4 * 2.46)],
    ['gpt-5.4-mini', image(10_000, 10_000), Math.ceil(10_000 * 1.62)],
    ['gpt-5.4-nano', image(64, 33), Math.ceil(4 * 2.46)],
    ['o4-mini', image(65, 32), Math.ceil(3 * 1.72)],
    ['gpt-5.5', image(10_000, 10_000, true), 256],
    ['gpt-5.5', image(33, 32, true), 2],
    ['claude-opus-4-6', remote, 4784],
    ['gemini-2.5-flash', remote, 12 * 258],
    ['gemini-2.5-flash', image(385, 384), 4 * 258],
    ['gemini-2.5-flash', image(5000, 1), 12 * 258],
    ['qwen-vl-max', remote, 16_384],
  ])('an image is bounded for %s', (model, media, tokens) => {
    expect(maxMediaTokens(media, model)).toEqual({ image: tokens, audio: 0 })
  })
})

const models = [
  'gpt-4o',
  'gpt-4o-mini',
  'gpt-4.1-mini',
  'o4-mini',
  'gpt-5.5',
  'claude-opus-4-6',
  'gemini-2.5-flash',
  'gemini-3-pro-preview',
  'qwen-vl-max',
] as const

test.each(models)('an image of unknown size counts for %s at least as much as any other', (model) => {
  const side = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(side, side, fc.boolean(), (width, height, isCoarse) => {
      const { image: known } = maxMediaTokens(image(width, height, isCoarse), model)
      const max = maxMediaTokens({ images: [{ size: null, isCoarse }], seconds: [] }, model).image
      expect(known).toBePositive()
      expect(known).toBeLessThanOrEqual(max)
    }),
  )
})

const recording = (bytes: number, rate?: number) => {
  const data = Buffer.alloc(bytes)
  if (rate !== undefined) {
    data.write('RIFF....WAVEfmt ', 'latin1')
    data.writeUInt32LE(rate, 28)
  }
  return measureMedia([{ kind: 'audio', data: data.toString('base64'), isCoarse: false }])
}

describe('the token bound of a recording', () => {
  test.each<[string, string, MeasuredMedia, number]>([
    ['as many seconds as a WAV file tells', 'gemini-2.5-flash', recording(30_000, 3000), 320],
    ['as many as speech in few bits', 'gemini-2.5-flash', recording(30_000), 480],
    ['ten tokens a second for OpenAI', 'gpt-audio', recording(30_000), 150],
    ['the window of the model where it is elsewhere', 'gpt-audio', { images: [], seconds: [null] }, 128_000],
    ['half an hour where the window is not known either', 'unknown-audio', { images: [], seconds: [null] }, 57_600],
  ])('%s', (_name, model, media, tokens) => {
    expect(maxMediaTokens(media, model)).toEqual({ image: 0, audio: tokens })
  })
})

test('all media together fit the window of the model', () => {
  const media = { images: Array.from({ length: 20 }, () => ({ size: null, isCoarse: false })), seconds: [null] }
  const { image: images, audio } = maxMediaTokens(media, 'gpt-4o-mini')
  expect(images + audio).toBe(128_000)
})
