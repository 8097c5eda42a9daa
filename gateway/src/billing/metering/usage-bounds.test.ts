import { describe, expect, test } from 'bun:test'

import { noUsage, type ReportedUsage } from '@tollgate/dialects'

import { plainEvidence } from '../../../test/usage-evidence'
import {
  impossibleCounts,
  maxPlausibleCompletionTokens,
  maxPlausiblePromptTokens,
  type UsageEvidence,
} from './usage-bounds'

const plainModel = { contextTokens: 128_000, outputTokens: null, abilities: [], output: ['text'] } as const
const reasoning = { ...plainEvidence, model: { ...plainModel, abilities: ['reasoning'] } } as const
const unknown = { ...plainEvidence, model: null }
const impossible = (usage: Partial<ReportedUsage>, evidence: UsageEvidence = plainEvidence) =>
  impossibleCounts({ ...noUsage, ...usage }, () => evidence)

describe('the token bound of a prompt', () => {
  test('the prompt is bounded by the bytes of its request where they show all of it', () => {
    expect(maxPlausiblePromptTokens({ ...plainEvidence, requestBytes: 1_000_000 })).toBeGreaterThan(1_000_000)
    expect(maxPlausiblePromptTokens(plainEvidence)).toBeLessThan(200_000)
  })

  test('the prompt is bounded by the window where the vendor adds to it', () => {
    expect(maxPlausiblePromptTokens({ ...plainEvidence, isPromptShown: false })).toBe(1_024_000)
    expect(maxPlausiblePromptTokens({ ...unknown, isPromptShown: false })).toBe(10_000_000)
  })

  test('the prompt of an unknown model may contain the documents of an application', () => {
    expect(maxPlausiblePromptTokens(unknown)).toBeGreaterThanOrEqual(1_000_000)
    expect(maxPlausiblePromptTokens(unknown)).toBeLessThan(10_000_000)
  })
})

describe('the token bound of a completion', () => {
  test('the completion is bounded by the requested limit, and the bytes that arrived', () => {
    expect(maxPlausibleCompletionTokens(plainEvidence, false)).toBeLessThan(2000)
    expect(
      maxPlausibleCompletionTokens({ ...plainEvidence, choices: 4, maxOutputTokens: 5000 }, false),
    ).toBeGreaterThan(20_000)
    expect(maxPlausibleCompletionTokens({ ...plainEvidence, textBytes: 50_000 }, false)).toBeGreaterThan(50_000)
  })

  test('the completion may have reasoning beyond the limit, where the model reasons, may reason, or reports it', () => {
    expect(maxPlausibleCompletionTokens(reasoning, false)).toBeGreaterThan(100_000)
    expect(maxPlausibleCompletionTokens(unknown, false)).toBeGreaterThan(100_000)
    expect(maxPlausibleCompletionTokens(plainEvidence, true)).toBeGreaterThan(100_000)
    expect(maxPlausibleCompletionTokens({ ...reasoning, maxOutputTokens: 0 }, false)).toBeLessThan(2000)
  })

  test('the completion is bounded by the longest output of its model without a limit', () => {
    const unlimited = { ...plainEvidence, maxOutputTokens: null }
    const short = { ...plainModel, outputTokens: 16_384 }
    expect(maxPlausibleCompletionTokens({ ...unlimited, model: short }, false)).toBeLessThan(20_000)
    expect(maxPlausibleCompletionTokens({ ...unlimited, model: short }, true)).toBe(128_005)
    const thinking = {
      contextTokens: 1_048_576,
      outputTokens: 65_536,
      abilities: ['reasoning'],
      output: ['text'],
    } as const
    expect(maxPlausibleCompletionTokens({ ...unlimited, model: thinking }, true)).toBeWithin(190_000, 200_000)
  })

  test('the completion is bounded by the window without a limit, where the longest output is not known', () => {
    expect(maxPlausibleCompletionTokens({ ...plainEvidence, maxOutputTokens: null, choices: 2 }, false)).toBe(256_005)
    expect(maxPlausibleCompletionTokens({ ...unknown, maxOutputTokens: null }, false)).toBe(1_000_005)
  })
})

describe('a usage', () => {
  test('a small usage is not examined', () => {
    const usage = { ...noUsage, promptTokens: 100_000, completionTokens: 1000, toolCalls: { webFetch: 20 } }
    expect(
      impossibleCounts(usage, () => {
        throw new Error('not asked for')
      }),
    ).toBeNull()
  })

  test('a usage may be impossible in each of its counts', () => {
    const allPossible = {
      prompt: false,
      completion: false,
      media: false,
      speech: false,
      isSumWrong: false,
      toolCalls: null,
      images: null,
    }
    expect(impossible({ promptTokens: 2 ** 30 })).toEqual({ ...allPossible, prompt: true })
    expect(impossible({ completionTokens: 2 ** 30 })).toEqual({ ...allPossible, completion: true })
    expect(impossible({ details: { image_count: 500 } })).toEqual({ ...allPossible, images: 1 })
    expect(impossible({ completionTokens: 3000 }, { ...plainEvidence, maxOutputTokens: 4000 })).toBeNull()
  })

  test('a prompt without pictures and sound has no tokens of either, unless the model is unknown or draws', () => {
    for (const usage of [{ imageTokens: 5 }, { audioInputTokens: 5 }]) {
      expect(impossible({ promptTokens: 10, ...usage })).toMatchObject({ media: true, prompt: false })
      expect(impossible({ promptTokens: 10, ...usage }, { ...plainEvidence, isPromptShown: false })).toBeNull()
      expect(impossible({ promptTokens: 10, ...usage }, unknown)).toBeNull()
      const drawing = { ...plainModel, output: ['text', 'image'] } as const
      expect(impossible({ promptTokens: 10, ...usage }, { ...plainEvidence, model: drawing })).toBeNull()
    }
  })

  test('an answer has tokens of speech where the model speaks, or the request asks for it', () => {
    const usage = { completionTokens: 10, audioOutputTokens: 5 }
    expect(impossible(usage)).toMatchObject({ speech: true, completion: false })
    expect(impossible(usage, { ...plainEvidence, isSpoken: () => true })).toBeNull()
    expect(impossible(usage, { ...plainEvidence, model: { ...plainModel, output: ['text', 'audio'] } })).toBeNull()
    expect(impossible(usage, unknown)).toBeNull()
  })

  test('tools that the request does not offer did not run, and others ran as often as it allows', () => {
    const toolCalls = { webSearch: 900, fileSearch: 3, webFetch: 4 }
    const offering = (limit: number) => ({
      ...plainEvidence,
      maxToolUses: (tool: string) => (tool === 'webSearch' ? limit : 0),
    })
    const cut = (limit: number) => impossible({ toolCalls }, offering(limit))?.toolCalls
    expect(cut(0)).toEqual({ webSearch: 0, fileSearch: 0, codeInterpreter: 0, imageGeneration: 0, webFetch: 4 })
    expect(cut(2)).toMatchObject({ webSearch: 2, fileSearch: 0 })
    expect(impossible({ toolCalls: { webSearch: 900 } }, offering(Infinity))).toBeNull()
    expect(impossible({ toolCalls: { webSearch: 5000 } }, offering(Infinity))?.toolCalls).toMatchObject({
      webSearch: 1000,
    })
  })

  test('a sum that has more than its parts counts for models that reason alone', () => {
    const usage = { completionTokens: 900, unexplainedTokens: 895 }
    expect(impossible(usage)).toMatchObject({ completion: false, isSumWrong: true })
    expect(impossible(usage, reasoning)).toBeNull()
    expect(impossible(usage, unknown)).toBeNull()
  })
})
