import { ApiError, channelRoutes, tokenRoutes, tokenStatus, userRoutes } from '@tollgate/contract'

import { Console } from '../console'
import type { Priced } from '../formula'
import type { Random } from './random'
import type { Upstream } from './upstream-process'

/** Payer of a call and their key. */
export interface Payer {
  readonly userId: number
  readonly tokenId: number
  readonly key: string
}

/** The users, keys, channels and prices in the gateway. */
export interface Site {
  readonly payers: readonly [Payer, ...Payer[]]
  /** Those who never run out of quota: no call of theirs waits for some. */
  readonly wealthy: readonly Payer[]
  /** Refills the user and the key that run out of quota. */
  refill(random: Random): Promise<void>
  /** Disables the key of a payer. */
  disable(payer: Payer): Promise<void>
  /** Enables it again, as soon as that is possible. */
  enable(payer: Payer): Promise<void>
}

export const chatModel = 'soak-chat'
export const claudeModel = 'soak-claude'
export const imageModel = 'soak-image'
/** Sold by the character. */
export const speechModel = 'soak-speech'
/** Speech that is sold by the token. */
export const voiceModel = 'soak-voice'
export const transcriptModel = 'soak-transcript'
export const sessionModel = 'soak-session'
/** Its responses are too large to be kept. */
export const hugeModel = 'soak-huge'
export const slowModel = 'soak-slow'
/** Their vendors have batches. */
export const batchModel = 'soak-batch'
export const batchClaudeModel = 'soak-batch-claude'
export const batchMistralModel = 'soak-batch-mistral'
export const batchGeminiModel = 'soak-batch-gemini'
/** A song, by name. */
const songModel = 'suno_music'
/** What it costs. */
export const songQuota = 1050
/** Ratios whose costs have to be rounded. */
export const prices: Readonly<Record<string, Priced>> = {
  [chatModel]: { model: 1.3, completion: 2.5 },
  [claudeModel]: { model: 0.37, completion: 5 },
  [imageModel]: { model: 2.1, completion: 4.3 },
  [speechModel]: { model: 0.61 },
  // Audio costs what text does, as no ratio says otherwise.
  [voiceModel]: { model: 1.7, completion: 1 },
  [transcriptModel]: { model: 0.9, completion: 3 },
  [sessionModel]: { model: 0.77, completion: 3.1 },
  [hugeModel]: { model: 0.01, completion: 1 },
  [slowModel]: { model: 1.1, completion: 2 },
  [batchModel]: { model: 1.9, completion: 3.7 },
  [batchClaudeModel]: { model: 0.53, completion: 4.1 },
  [batchMistralModel]: { model: 0.83, completion: 2.9 },
  [batchGeminiModel]: { model: 0.29, completion: 5.3 },
}

const account = { username: 'root', password: 'not-a-real-password' }
const fortune = 1_000_000_000_000
const openAiType = 1
const anthropicType = 14
const geminiType = 24
const mistralType = 42
const sunoType = 36
/** Number of words in every complete response. */
const pace = 'tokens=24;ttft=5;gap=2'
/** More words than speech of such a text is estimated to have when it breaks off. */
/** More than is kept of a response in the background. */
const hugePace = 'bytes=34000000'
/** Long enough to be cancelled. */
const slowPace = 'tokens=24;ttft=400'
const voicePace = 'tokens=60;ttft=5;gap=2'

/** Sets up an empty gateway with channels to the upstream: reliable ones, and some that fail now and then. */
export async function setUpSite(
  url: string,
  upstream: Pick<Upstream, 'url' | 'realtimeUrl' | 'songsUrl' | 'batchUrls'>,
): Promise<Site> {
  const root = await Console.setUp(url, account)
  await root.setOptions({
    LogErrorEnabled: true,
    // Sessions of a worker that was killed count for a while.
    RealtimeUserSessions: 10_000,
    ModelRatio: ratiosOf((price) => price.model),
    // At 500,000 a dollar.
    ModelPrice: { [songModel]: songQuota / 500_000 },
    CompletionRatio: ratiosOf((price) => price.completion),
  })
  const channel = (name: string, type: number, models: string, key: string, base_url = upstream.url, more = {}) =>
    root.call(channelRoutes.createChannel, {
      body: { name, type, models, key, base_url, group: 'default', auto_ban: 0, ...more },
    })
  await channel('sound', openAiType, chatModel, `sim:${pace}`)
  await channel('failing', openAiType, chatModel, `sim:${pace};fault=status-500;every=3`)
  await channel('breaking', openAiType, chatModel, `sim:${pace};fault=reset-mid-stream;every=6`)
  await channel('lying', openAiType, chatModel, `sim:${pace};fault=code-in-200;every=4`)
  await channel('dying', openAiType, chatModel, `sim:${pace};fault=cut-after-start;every=5`)
  await channel('wrong meter', openAiType, chatModel, `sim:${pace};fault=usage-impossible;every=4`)
  await channel('negative meter', openAiType, chatModel, `sim:${pace};fault=usage-negative;every=4`)
  await channel('boundless meter', openAiType, chatModel, `sim:${pace};fault=usage-huge;every=4`)
  await channel('listed meter', openAiType, chatModel, `sim:${pace};fault=usage-list;every=4`)
  await channel('huge', openAiType, hugeModel, `sim:${hugePace}`)
  await channel('slow', openAiType, slowModel, `sim:${slowPace}`)
  await channel('late meter', openAiType, chatModel, `sim:${pace};usage-late=100`)
  await channel('wrong claude', anthropicType, claudeModel, `sim:${pace};fault=usage-impossible;every=4`)
  await channel('claude', anthropicType, claudeModel, `sim:${pace}`)
  await channel('crowded claude', anthropicType, claudeModel, `sim:${pace};fault=status-429;every=5`)
  await channel('dying claude', anthropicType, claudeModel, `sim:${pace};fault=error-after-start;every=4`)
  for (const model of [imageModel, speechModel, transcriptModel]) {
    await channel(model, openAiType, model, `sim:${pace}`)
    await channel(`failing ${model}`, openAiType, model, `sim:${pace};fault=status-500;every=3`)
    await channel(`breaking ${model}`, openAiType, model, `sim:${pace};fault=reset-mid-stream;every=6`)
    await channel(`dying ${model}`, openAiType, model, `sim:${pace};fault=cut-after-start;every=5`)
  }
  await channel(voiceModel, openAiType, voiceModel, `sim:${voicePace}`)
  await channel('breaking voice', openAiType, voiceModel, `sim:${voicePace};fault=reset-mid-stream;every=6`)
  await channel('sessions', openAiType, sessionModel, 'not-a-real-key', upstream.realtimeUrl)
  await channel('songs', sunoType, songModel, 'not-a-real-key', upstream.songsUrl)
  const withBatches = { setting: JSON.stringify({ vendor_batches: 'on' }) }
  const { openAi, anthropic, mistral, gemini } = upstream.batchUrls
  await channel('batches', openAiType, batchModel, `sim:${pace}`, openAi, withBatches)
  await channel('batches of claude', anthropicType, batchClaudeModel, `sim:${pace}`, anthropic, withBatches)
  await channel('batches of mistral', mistralType, batchMistralModel, `sim:${pace}`, mistral, withBatches)
  await channel('batches of gemini', geminiType, batchGeminiModel, `sim:${pace}`, gemini, withBatches)
  await root.call(userRoutes.updateUser, { body: { id: root.userId, quota: fortune } })

  const owners = new Map<Payer, Console>()
  const aPayer = async (owner: Console, fields: Omit<TokenFields, 'name'>): Promise<Payer> => {
    const newPayerFields = await newPayer(owner, fields)
    owners.set(newPayerFields, owner)
    return newPayerFields
  }
  const set = async (payer: Payer, status: number) => {
    const body = { id: payer.tokenId, status }
    await owners.get(payer)?.call(tokenRoutes.updateToken, { query: { status_only: 'true' }, body })
  }
  const enable = async (payer: Payer) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const isDone = await set(payer, tokenStatus.enabled).then(() => true, isRefused)
      if (isDone) return
      await Bun.sleep(pauseMs)
    }
  }

  const rich = await aPayer(root, { unlimited_quota: true })
  const limited = await aPayer(root, { unlimited_quota: false, remain_quota: 1, ...countedRates })
  const other = await aPayer(await aUser(root, url, 'other', fortune), { unlimited_quota: true, ...countedRates })
  const poor = await aPayer(await aUser(root, url, 'poor', 1), { unlimited_quota: true })
  return {
    payers: [rich, limited, other, poor],
    wealthy: [rich, other],
    async refill(random) {
      await root.call(userRoutes.updateUser, { body: { id: poor.userId, quota: random.between(500, 12_000) } })
      const remain = random.between(1000, 50_000)
      await root.call(tokenRoutes.updateToken, { body: { id: limited.tokenId, remain_quota: remain } })
      for (const payer of owners.keys()) await enable(payer)
    },
    disable: (payer) => set(payer, tokenStatus.disabled),
    enable,
  }
}

/** Limits too high to be reached; they exercise Redis. */
const countedRates = {
  rate_limit_enabled: true,
  rate_limit_period: 60,
  rate_limit_count: 1_000_000,
  rate_limit_success: 1_000_000,
}

type TokenFields = Parameters<Console['addToken']>[0]

const maxTries = 100
const pauseMs = 200

/** A key without quota stays as it is until it is refilled. */
const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'token.exhausted_enable'

async function newPayer(owner: Console, fields: Omit<TokenFields, 'name'>): Promise<Payer> {
  const body = { name: 'soak', expired_time: -1, ...fields }
  const { id, key } = await owner.call(tokenRoutes.createToken, { body })
  return { userId: owner.userId, tokenId: id, key: `sk-${key}` }
}

async function aUser(root: Console, url: string, username: string, quota: number): Promise<Console> {
  const password = 'also-not-real'
  const { id } = await root.call(userRoutes.createUser, { body: { username, password } })
  await root.call(userRoutes.updateUser, { body: { id, quota } })
  return Console.signIn(url, { username, password })
}

function ratiosOf(pick: (price: Priced) => number | undefined): Record<string, number> {
  const ratios = Object.entries(prices).map(([model, price]) => [model, pick(price)] as const)
  return Object.fromEntries(ratios.flatMap(([model, ratio]) => (ratio === undefined ? [] : [[model, ratio]])))
}
