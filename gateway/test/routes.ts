import { defaultOptions } from '@tollgate/contract'
import { providerOf, type Provider } from '@tollgate/providers'

import type { Catalog, Channel, ChannelKey, PriorityLevel } from '../src/channels/catalog/catalog'
import { Health } from '../src/channels/health/health'
import { Prices } from '../src/billing/pricing/prices'
import { KeyTurns } from '../src/channels/routing/keys'
import type { RouteQuestion } from '../src/channels/routing/plan'
import { FakeTime } from './fake-time'

function openAi(): Provider {
  const provider = providerOf(1)
  if (!provider) throw new Error('The first vendor is missing')
  return provider
}

export const openai = openAi()

export const key = (fingerprint: string, isEnabled = true): ChannelKey => ({
  value: `key-${fingerprint}`,
  fingerprint,
  isEnabled,
})

export function aChannel(id: number, overrides: Partial<Channel> = {}): Channel {
  return {
    id,
    name: `channel ${id}`,
    provider: openai,
    isEnabled: true,
    status: 1,
    keys: [key(`k${id}`)],
    baseUrl: 'http://upstream.test',
    other: '',
    organization: '',
    groups: ['default'],
    models: ['m'],
    modelPrefix: '',
    modelMapping: new Map(),
    statusCodeMapping: new Map(),
    paramOverride: null,
    systemPrompt: '',
    setting: {},
    maxInputTokens: 0,
    priority: 0,
    weight: 0,
    tag: null,
    autoBan: true,
    testModel: '',
    ...overrides,
  }
}

export function aCatalog(channels: readonly Channel[]): Catalog {
  const priorities = [...new Set(channels.map((channel) => channel.priority))].sort((a, b) => b - a)
  const tiers: PriorityLevel[] = priorities.map((priority) => ({
    priority,
    candidates: channels
      .filter((channel) => channel.priority === priority)
      .map((channel) => ({ channel, weight: channel.weight, model: 'm' })),
  }))
  return {
    revision: 1,
    options: defaultOptions,
    prices: new Prices({ options: defaultOptions }),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    siteModels: null,
    routes: new Map([['default', new Map([['m', tiers]])]]),
    groupWindows: new Map(),
    channelWindows: new Map(),
  }
}

/** Evenly spread numbers: multiples of the golden ratio fill the interval without randomness. */
export function evenRandom() {
  let value = 0
  return {
    number: () => (value = (value + 0.618_033_988_749_894_9) % 1),
    bytes: (length: number) => new Uint8Array(length),
  }
}

export const noExclusions = { channels: new Set<number>(), keys: new Set<string>() }

export const question = (overrides: Partial<RouteQuestion> = {}): RouteQuestion => ({
  group: 'default',
  model: 'm',
  mode: 'chat',
  promptTokens: 10,
  sessionOf: () => null,
  excluded: noExclusions,
  isRetry: false,
  random: evenRandom(),
  health: new Health(new FakeTime()),
  keyTurns: new KeyTurns(),
  ...overrides,
})

export const failure = { scope: 'channel', weight: 1, tookMs: 0 } as const
export const attemptAt = (health: Health, id: number, fingerprint = `k${id}`, model = 'm') =>
  health.begin({ channel: { id }, key: { fingerprint }, model })
export const brokenFor = (health: Health, channelId: number) => {
  for (let time = 0; time < 5; time += 1) attemptAt(health, channelId).recordFailure(failure)
}
