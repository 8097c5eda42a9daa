import { describe, expect, test } from 'bun:test'

import { noUsage, type Usage } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/models'

import { heardUsage, maxTranscriptTokens, spokenUsage, transcriptionUsage } from './audio-usage'
import type { Metered } from './meter'

const byDuration: PriceEntry = { prices: { input: 6 } }
const byToken: PriceEntry = { prices: { input: 1, output: 2 } }

const aMetering = (usage: Partial<Usage>, rest: Omit<Metered, 'usage'> = {}): Metered => ({
  usage: { ...noUsage, ...usage },
  ...rest,
})

describe('a transcription', () => {
  /** Ten seconds. */
  const transcribe = (reported: Metered, entry = byToken, { isMeasured = true, hintTokens = 0 } = {}) =>
    transcriptionUsage(reported, { entry, seconds: 9.2, isMeasured, hintTokens })

  test('reported tokens stand', () => {
    const reported = aMetering({ promptTokens: 100, audioInputTokens: 100, completionTokens: 5 })
    for (const entry of [byToken, byDuration]) expect(transcribe(reported, entry)).toBe(reported)
  })

  test('reported seconds are the usage, rounded up, whatever else is unknown', () => {
    const usage = { ...noUsage, promptTokens: 167, seconds: 10 }
    for (const entry of [byToken, byDuration])
      expect(transcribe(aMetering({ seconds: 9.1, completionTokens: 7 }, { estimated: 'all' }), entry)).toEqual({
        usage,
      })
  })

  test('unreported tokens are estimated from the duration where they have a price', () => {
    expect(transcribe(aMetering({ promptTokens: 7, completionTokens: 5 }, { estimated: 'all' }))).toEqual(
      aMetering({ promptTokens: 107, audioInputTokens: 100, completionTokens: 5, seconds: 10 }, { estimated: 'all' }),
    )
  })

  test.each([
    [true, {}],
    [false, { estimated: 'prompt' } as const],
  ])('the duration is the usage where output tokens have no price, measured %p', (isMeasured, rest) => {
    expect(transcribe(aMetering({ promptTokens: 7 }, { estimated: 'all' }), byDuration, { isMeasured })).toEqual(
      aMetering({ promptTokens: 167, seconds: 10 }, rest),
    )
  })

  test('seconds up to a minute beyond the recording are possible', () => {
    expect(transcribe(aMetering({ seconds: 69.2 }))).toEqual(aMetering({ promptTokens: 1167, seconds: 70 }))
    expect(transcribe(aMetering({ seconds: 69.3 }, { capped: { images: 1 } }), byDuration)).toEqual(
      aMetering({ promptTokens: 167, seconds: 10 }, { capped: { images: 1, seconds: 69.3 } }),
    )
  })

  test('audio tokens are possible up to those of the longest recording', () => {
    const possible = aMetering({ promptTokens: 3470, audioInputTokens: 3460 })
    expect(transcribe(possible)).toBe(possible)
    const reported = aMetering({ promptTokens: 3471, audioInputTokens: 3461 }, { capped: { images: 1 } })
    expect(transcribe(reported)).toEqual(
      aMetering(
        { promptTokens: 110, audioInputTokens: 100, seconds: 10 },
        { estimated: 'prompt', capped: { images: 1, prompt_tokens: 3471 } },
      ),
    )
  })

  test('text is possible up to twice the hint, and what a model puts before it', () => {
    const possible = aMetering({ promptTokens: 3460 + 4096 + 10 })
    expect(transcribe(possible, byToken, { hintTokens: 5 })).toBe(possible)
    const reported = aMetering({ promptTokens: 3460 + 4096 + 11, audioInputTokens: 30 }, { estimated: 'completion' })
    expect(transcribe(reported, byToken, { hintTokens: 5 })).toEqual(
      aMetering(
        { promptTokens: 100, audioInputTokens: 100, seconds: 10 },
        { estimated: 'completion', capped: { prompt_tokens: 7567 } },
      ),
    )
  })
})

test('a transcript has at most eight tokens a second, and some that a short recording may have', () => {
  expect([maxTranscriptTokens(10), maxTranscriptTokens(0.1)]).toEqual([336, 257])
})

describe('a transcription in a session', () => {
  const hear = (reported: Usage | null, count: number) =>
    heardUsage(reported, { entry: byToken, seconds: 10, countText: () => Promise.resolve(count) })
  const estimate = (completionTokens: number) => ({
    ...noUsage,
    promptTokens: 100,
    audioInputTokens: 100,
    completionTokens,
    seconds: 10,
  })

  test('a possible report stands', async () => {
    for (const usage of [
      { ...noUsage, promptTokens: 7596, completionTokens: 3 },
      { ...noUsage, promptTokens: 9, completionTokens: 816 },
    ])
      expect(await hear(usage, 20)).toEqual({ usage })
  })

  test('an impossible report is counted and named', async () => {
    for (const [promptTokens, completionTokens] of [
      [7597, 3],
      [9, 817],
    ] as const)
      expect(await hear({ ...noUsage, promptTokens, completionTokens }, 20)).toEqual({
        usage: estimate(20),
        estimated: 'all',
        capped: { prompt_tokens: promptTokens, completion_tokens: completionTokens },
      })
  })

  test('the text is counted where nothing is reported, up to what can be said in the time', async () => {
    expect(await hear(null, 816)).toEqual({ usage: estimate(816), estimated: 'all' })
    expect(await hear(null, 817)).toEqual({ usage: estimate(816), estimated: 'all' })
  })
})

describe('speech', () => {
  const speak = (reported: Metered, entry: PriceEntry) =>
    spokenUsage(reported, { entry, characters: 40, seconds: () => Promise.resolve(6) })

  test('the characters are the usage where output tokens have no price', async () => {
    expect(await speak(aMetering({ promptTokens: 7, completionTokens: 9 }, { estimated: 'all' }), byDuration)).toEqual(
      aMetering({ promptTokens: 40 }),
    )
  })

  test.each<[string, PriceEntry]>([
    ['output', byToken],
    ['audio output', { prices: { audio_out: 2 } }],
    ['output by a ratio', { prices: {}, ratios: { output: 2 } }],
    ['audio output by a ratio', { prices: {}, ratios: { audio_out: 2 } }],
  ])('the report stands, or the duration is estimated, where tokens of %s have a price', async (_, entry) => {
    const reported = aMetering({ promptTokens: 7, completionTokens: 9 })
    expect(await speak(reported, entry)).toBe(reported)
    expect(await speak(aMetering({ promptTokens: 7 }, { estimated: 'completion' }), entry)).toEqual(
      aMetering({ promptTokens: 7, completionTokens: 125, audioOutputTokens: 125 }, { estimated: 'completion' }),
    )
  })
})
