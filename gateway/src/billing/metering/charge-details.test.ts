import { describe, expect, test } from 'bun:test'

import { LogDetails, readLogDetails, writeLogDetails } from '@tollgate/contract'
import { noUsage, type Usage, type UsageDetails } from '@tollgate/dialects'

import { aPrice, entryOfRatios } from '../../../test/prices'
import { chargeDetails, type ChargeFacts } from './charge-details'
import { noUnits } from '../pricing/amounts'
import { computeCharge } from '../pricing/charge'
import { Price } from '../pricing/price'

const ratios = {
  model: 1.25,
  completion: 4,
  cacheRead: 0.5,
  cacheWrite: 1.25,
  cacheWriteHour: 2,
  image: 2,
  audio: 16,
  audioCompletion: 2,
}
const price = aPrice(
  entryOfRatios(ratios, { web_search: 25, file_search: 2.5, code_interpreter: 30, image_generation: 11 }),
)
const admin = { use_channel: ['3'], attempts: [] }

/** Every field that a vendor may report besides counts. */
const vendorDetails: Required<UsageDetails> = {
  service_tier: 'priority',
  speed: 'fast',
  inference_geo: 'eu',
  iterations: [{ model: 'small', input_tokens: 3 }],
  tool_use_prompt_tokens: 4,
  prompt_modalities: { TEXT: 12 },
  completion_modalities: { TEXT: 3 },
  image_count: 2,
  image_size: '1024x1536',
  image_quality: 'high',
}

type PriceFacts = ConstructorParameters<typeof Price>[0]

/** Returns the price with other facts. */
function priceWith(facts: Partial<PriceFacts>): PriceFacts {
  const { entry, groupRatio, userGroupRatio, quotaPerUnit, assumed, modeRatio } = price
  return { entry, groupRatio, userGroupRatio, quotaPerUnit, assumed, modeRatio, ...facts }
}

/** The fields that any of the cases wrote. */
const seen = new Set<string>()

function other(usage: Partial<Usage>, details: Partial<ChargeFacts> = {}): unknown {
  const all = { ...noUsage, promptTokens: 100, completionTokens: 10, ...usage }
  const charge = computeCharge(
    { price: new Price(priceWith(details.price ?? {})), schedule: null, requested: {}, units: noUnits },
    all,
  )
  return writeDetails({ price, usage: all, charge, firstTokenMs: 42, adminInfo: admin, ...details })
}

function writeDetails(facts: ChargeFacts): unknown {
  const text = writeLogDetails(chargeDetails(facts))
  const sent: Record<string, unknown> = JSON.parse(text)
  // The console reads every field with the value that the gateway wrote.
  expect<object>(readLogDetails(text)).toMatchObject(sent)
  for (const name of Object.keys(sent)) seen.add(name)
  return sent
}

const always = {
  frt: 42,
  model_ratio: 1.25,
  group_ratio: 1,
  completion_ratio: 4,
  cache_tokens: 0,
  cache_ratio: 0.5,
  model_price: -1,
  user_group_ratio: -1,
  prices: {
    input: 2.5,
    output: 10,
    cache_read: 1.25,
    image_in: 5,
    audio_in: 40,
    audio_out: 80,
    web_search: 25,
    file_search: 2.5,
    code_interpreter: 30,
    image_generation: 11,
  },
  admin_info: admin,
}

describe('details of a charged call', () => {
  test('details of a plain call', () => {
    expect(other({})).toEqual(always)
  })

  test.each<[string, Partial<Usage>, object]>([
    ['cached', { cachedTokens: 30 }, { cache_tokens: 30 }],
    ['written to the cache', { cacheWriteTokens: 30 }, { cache_creation_tokens: 30, cache_creation_ratio: 1.25 }],
    [
      'written for an hour',
      { cacheWriteTokens: 30, cacheWriteHourTokens: 20 },
      {
        cache_creation_tokens: 50,
        cache_creation_ratio: 1.25,
        cache_creation_tokens_5m: 30,
        cache_creation_ratio_5m: 1.25,
        cache_creation_tokens_1h: 20,
        cache_creation_ratio_1h: 2,
      },
    ],
    [
      'with sound from the cache',
      { audioInputTokens: 10, cachedTokens: 50, cachedAudioTokens: 30 },
      {
        audio: true,
        audio_input: 10,
        audio_output: 0,
        text_input: 60,
        text_output: 10,
        audio_ratio: 16,
        audio_completion_ratio: 2,
        cache_tokens: 20,
        cache_audio_tokens: 30,
        cache_audio_ratio: 0.5,
      },
    ],
    ['with pictures', { imageTokens: 5 }, { image: true, image_ratio: 2, image_output: 5 }],
    [
      'with sound',
      { audioInputTokens: 40, audioOutputTokens: 4 },
      {
        audio: true,
        audio_input: 40,
        audio_output: 4,
        text_input: 60,
        text_output: 6,
        audio_ratio: 16,
        audio_completion_ratio: 2,
      },
    ],
    [
      'with tools',
      { toolCalls: { webSearch: 2, fileSearch: 1, codeInterpreter: 1, imageGeneration: 15 } },
      {
        web_search: true,
        web_search_call_count: 2,
        web_search_price: 25,
        file_search: true,
        file_search_call_count: 1,
        file_search_price: 2.5,
        code_interpreter: true,
        code_interpreter_call_count: 1,
        code_interpreter_price: 30,
        image_generation: true,
        image_generation_call_count: 15,
        image_generation_price: 11,
      },
    ],
    ['with reasoning', { reasoningTokens: 3 }, { reasoning_tokens: 3 }],
    ['that read pages', { toolCalls: { webFetch: 2 } }, { web_fetch_requests: 2 }],
    ['that its vendor says more of', { details: vendorDetails }, vendorDetails],
  ])('the log has the details of a call %s', (_name, usage, keys) => {
    expect(other(usage)).toEqual({ ...always, ...keys })
  })

  test.each<[string, Partial<ChargeFacts>, object]>([
    ['estimated', { estimated: 'prompt' }, { estimated: true, usage_estimated: 'prompt' }],
    ['capped', { capped: { prompt_tokens: 9e8 } }, { usage_capped: { prompt_tokens: 9e8 } }],
    ['of Anthropic', { isAnthropic: true }, { claude: true }],
    [
      'that says how it was made',
      { call: { use_time_ms: 1240, dialect: 'openai-chat', endpoint: '/v1/chat/completions' } },
      { use_time_ms: 1240, dialect: 'openai-chat', endpoint: '/v1/chat/completions' },
    ],
    ['never answered', { firstTokenMs: null }, { frt: -1000 }],
    ['mapped', { upstreamModel: 'up' }, { is_model_mapped: true, upstream_model_name: 'up' }],
    ['with effort', { reasoningEffort: 'high' }, { reasoning_effort: 'high' }],
    ['prompted by the channel', { systemPrompt: 'be kind' }, { system_prompt: 'be kind' }],
    ['paid for by a plan', { plan: 'Pro' }, { plan: 'Pro' }],
    ['broken off', { ending: 'broken' }, { ending: 'broken' }],
    ['of another group', { price: priceWith({ userGroupRatio: 0.5 }) }, { group_ratio: 0.5, user_group_ratio: 0.5 }],
    ['without a price', { price: priceWith({ assumed: true }) }, { price_assumed: true }],
    [
      'with less than it asked for',
      { warnings: ['top_k'], maxTokens: 70 },
      { dropped: ['top_k'], max_tokens_lowered: 70 },
    ],
  ])('the log has the details of a call %s', (_name, details, keys) => {
    expect(other({}, details)).toEqual({ ...always, ...keys })
  })

  test('details of a call at a fixed price', () => {
    expect(other({}, { price: aPrice({ prices: { per_call: 0.04 } }) })).toMatchObject({
      model_price: 0.04,
      model_ratio: 0,
    })
  })

  test('details of a call under a tier, a mode and a schedule', () => {
    const hours = { name: 'night', zone: 'UTC', days: [1], from: '00:00', to: '06:00', factor: 0.5 }
    const entry = {
      prices: { input: 2, output: 8 },
      tiers: [{ above: 50, prices: { input: 4, output: 12 } }],
      modes: [{ name: 'fast', match: { speed: 'fast' }, factor: 3 }],
      schedules: [hours],
    }
    const usage = { ...noUsage, promptTokens: 100, completionTokens: 10, reasoningTokens: 2 }
    const tiered = aPrice(entry)
    const charge = computeCharge(
      { price: tiered, schedule: hours, requested: { speed: 'fast' }, units: noUnits },
      usage,
    )
    expect(charge.quota).toBe((100 * 2 + 10 * 6) * 1.5)
    expect(writeDetails({ price: tiered, usage, charge, firstTokenMs: 1, adminInfo: admin })).toMatchObject({
      model_ratio: 2,
      completion_ratio: 3,
      service_tier_ratio: 3,
      schedule_ratio: 0.5,
      prices: { input: 4, output: 12 },
      price_tier: 50,
      price_mode: 'fast',
      price_schedule: 'night',
    })
  })

  test('details of media that have prices of their own', () => {
    const entry = { prices: { input: 2, output: 8, image_out: 30, reasoning: 12, per_character: 4 } }
    const imagePrice = aPrice(entry)
    const usage = { ...noUsage, promptTokens: 100, completionTokens: 50, reasoningTokens: 5, seconds: 9 }
    const charge = computeCharge({ price: imagePrice, schedule: null, requested: {}, units: { characters: 70 } }, usage)
    expect(writeDetails({ price: imagePrice, usage, charge, firstTokenMs: 1, adminInfo: admin })).toMatchObject({
      characters: 70,
      seconds: 9,
      image_generated: 45,
      image_generation_ratio: 15,
      reasoning_billed: 5,
      reasoning_ratio: 6,
    })
  })

  test('details of a call with the client’s own login', () => {
    const price = aPrice({ prices: { input: 2, output: 8 } }).forOwnLogin(0.5)
    const usage = { ...noUsage, promptTokens: 100, completionTokens: 50 }
    const charge = computeCharge({ price, schedule: null, requested: {}, units: {} }, usage)
    expect(writeDetails({ price, usage, charge, firstTokenMs: 1, adminInfo: admin })).toMatchObject({
      own_login_factor: 0.5,
    })
  })

  test('details have every field that a reader knows, except those of other kinds of rows', () => {
    const ofFailedCalls = [
      'error_type',
      'error_code',
      'status_code',
      'caller_status',
      'channel_id',
      'channel_name',
      'channel_type',
      'refused_calls',
      'limit_owner',
    ]
    const ofLoggedTexts = ['context', 'input_content', 'output_content']
    const ofTasks = ['task_id']
    const ofStoredResponses = ['cached_age', 'cached_factor', 'cached_quota']
    const ofOtherModels = ['requested_model', 'model_reason']
    const ofEarlierReleases = ['ws']
    const ofOthers = [ofFailedCalls, ofLoggedTexts, ofTasks, ofStoredResponses, ofOtherModels, ofEarlierReleases]
    const known = new Set([...seen, ...ofOthers.flat()])
    expect([...known].sort()).toEqual(Object.keys(LogDetails.shape).sort())
  })
})
