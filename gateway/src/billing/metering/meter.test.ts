import { expect, test } from 'bun:test'

import { noUsage, type ReportedUsage, type UnreportedPart } from '@tollgate/dialects'

import { plainEvidence } from '../../../test/usage-evidence'
import { meter } from './meter'

const huge = 50_000_000
const prompt = {
  texts: ['a prompt of a few words'],
  messages: 1,
  names: 0,
  tools: [],
  lowDetailImages: 0,
  images: 0,
  audios: 0,
  files: 0,
  tokenIds: 0,
}

const meterUsage = (usage: Partial<ReportedUsage>, previousTokens?: number) =>
  meter({
    responseView: { usage: { ...noUsage, ...usage }, toolCalls: 0, completionText: () => 'an answer of five words' },
    prompt,
    previousTokens,
    model: 'gpt-4o',
    evidence: () => plainEvidence,
  })

/** Which totals are counted here: those that were not reported, and those that are impossible. */
test.each<[UnreportedPart | 'nothing', Partial<ReportedUsage>, UnreportedPart | 'nothing']>([
  ['nothing', { promptTokens: 20, completionTokens: 3 }, 'nothing'],
  ['prompt', { completionTokens: 3 }, 'prompt'],
  ['completion', { promptTokens: 20 }, 'completion'],
  ['all', {}, 'all'],
  ['nothing', { promptTokens: huge, completionTokens: 3 }, 'prompt'],
  ['nothing', { promptTokens: 20, completionTokens: huge }, 'completion'],
  ['nothing', { promptTokens: huge, completionTokens: huge }, 'all'],
  ['completion', { promptTokens: huge }, 'all'],
  ['prompt', { completionTokens: huge }, 'all'],
])('a usage that leaves out %s and says %j has %s counted by the gateway', async (unreported, reported, counted) => {
  const { usage, estimated } = await meterUsage({ ...reported, ...(unreported !== 'nothing' && { unreported }) })
  expect(estimated ?? 'nothing').toBe(counted)
  expect(usage.promptTokens).toBeWithin(5, 30)
  expect(usage.completionTokens).toBeWithin(3, 15)
})

test('what was counted of an impossible prompt leaves nothing of its cache or its pictures', async () => {
  const { usage, capped } = await meterUsage({
    promptTokens: huge,
    cachedTokens: huge,
    imageTokens: 7,
    completionTokens: 3,
  })
  expect(usage).toMatchObject({ cachedTokens: 0, imageTokens: 0, completionTokens: 3 })
  expect(capped).toEqual({ prompt_tokens: huge })
})

test('tokens of an earlier response come before a prompt that is counted, and are part of one that was reported', async () => {
  const alone = (await meterUsage({ unreported: 'all' })).usage.promptTokens
  expect((await meterUsage({ unreported: 'all' }, 1000)).usage.promptTokens).toBe(alone + 1000)
  expect((await meterUsage({ promptTokens: 1020, completionTokens: 3 }, 1000)).usage.promptTokens).toBe(1020)
})
