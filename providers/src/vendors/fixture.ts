import { z } from 'zod'

import { descriptionOf, type Provider, type Target } from '../provider'

const AnyObject = z.record(z.string(), z.unknown())
const Headers = z.record(z.string(), z.string())

const TargetOverrides = z.strictObject({
  baseUrl: z.string().optional(),
  key: z.string().optional(),
  path: z.string().optional(),
  other: z.string().optional(),
  organization: z.string().optional(),
  stream: z.boolean().optional(),
  site: z.strictObject({ name: z.string(), url: z.string() }).optional(),
  setting: AnyObject.optional(),
  dialectHeaders: Headers.optional(),
})

/** One way in which the vendor serves: the model, key or other field where it depends on them, and the client's dialect where that counts. */
export const ModeSelector = z.strictObject({
  mode: z.enum([
    'chat',
    'completions',
    'embeddings',
    'fim',
    'images',
    'image-edits',
    'image-variations',
    'live',
    'moderation',
    'ocr',
    'realtime',
    'rerank',
    'speech',
    'transcription',
    'translation',
  ]),
  model: z.string().optional(),
  dialect: z.enum(['openai-chat', 'openai-responses']).optional(),
  key: z.string().optional(),
  other: z.string().optional(),
})

const Case = ModeSelector.extend({
  target: TargetOverrides,
  /** What the client sent, its model already mapped. */
  request: AnyObject,
  /** What must arrive upstream, nothing left out. */
  upstream: z.strictObject({
    url: z.string(),
    headers: Headers,
    body: AnyObject,
    reasoningEffort: z.string().optional(),
    leftOut: z.array(z.string()).optional(),
  }),
})

const UsageParts = z.partialRecord(
  z.enum(['promptTokens', 'completionTokens', 'cachedTokens', 'reasoningTokens']),
  z.number(),
)

/** Where a response comes from: captured by `scripts/record.ts`, documented on a page, or what the author expects. */
export const Source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('recorded'), on: z.iso.date() }),
  z.strictObject({ kind: z.literal('documented'), page: z.url() }),
  z.strictObject({ kind: z.literal('invented') }),
])

const Reading = z.strictObject({
  source: Source,
  /** Chat where it is left out. */
  way: ModeSelector.optional(),
  answer: AnyObject,
  /** Null where the vendor reports none. */
  usage: UsageParts.nullable(),
  stream: z.string().optional(),
  streamUsage: UsageParts.optional(),
})

/** Requests of one vendor and its responses, each with its source. The texts in them are invented. */
export const Fixture = z.strictObject({
  cases: z.array(Case).min(1),
  ...Reading.shape,
  /** What other ways answer, where their shape is another one. */
  others: z.array(Reading).default([]),
  error: z.strictObject({ source: Source, status: z.number(), body: AnyObject, message: z.string() }),
  errorInAnswer: z
    .strictObject({
      source: Source,
      answer: AnyObject,
      error: z.strictObject({ status: z.number(), code: z.string(), message: z.string() }),
    })
    .optional(),
  modelList: z
    .strictObject({
      source: Source,
      url: z.string(),
      headers: Headers,
      baseUrl: z.string().optional(),
      answer: z.unknown(),
      models: z.array(z.string()),
    })
    .optional(),
  balance: z
    .strictObject({
      source: Source,
      baseUrl: z.string().optional(),
      urls: z.array(z.string()),
      answers: z.array(z.unknown()),
      balance: z.strictObject({ amount: z.number(), currency: z.enum(['USD', 'CNY']) }),
    })
    .optional(),
})

/** The vendors that serve calls; the others run tasks alone. */
export const withModes = (providers: readonly Provider[]): readonly Provider[] =>
  providers.filter(({ modes }) => Object.keys(modes).length > 0)

export type VendorFixture = z.infer<typeof Fixture>

/** The vendor's fixture. Throws when it is missing or malformed. */
export const fixtureOf = async (provider: Provider): Promise<VendorFixture> =>
  Fixture.parse(await Bun.file(`${import.meta.dir}/fixtures/${provider.id}.json`).json())

/** How the vendor serves that way. Throws when it does not. */
export function describedBy(
  provider: Provider,
  { mode, model = '', dialect = 'openai-chat', key = '', other = '' }: z.infer<typeof ModeSelector>,
) {
  const description = descriptionOf(provider, { mode, dialect }, { model, key, other })
  if (description === undefined) throw new Error(`${provider.id} has no ${mode} of ${dialect}`)
  return description
}

/** A call's destination with everything given. */
export const aTarget = (overrides: Partial<Target> = {}): Target => ({
  baseUrl: 'https://upstream.example',
  key: 'key-1',
  model: 'a-model',
  mode: 'chat',
  stream: false,
  path: '/v1/chat/completions',
  other: '',
  organization: '',
  site: { name: 'Gate', url: 'https://gate.example' },
  ...overrides,
})
