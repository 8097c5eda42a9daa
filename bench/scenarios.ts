import type { Size, SpokenDialect } from './requests'

/** Who speaks what. Default: chat completions. What does not translate is asked in the upstream's dialect. */
export interface Pair {
  readonly client?: SpokenDialect | undefined
  readonly upstream?: SpokenDialect | undefined
}

/** One kind of load. */
export interface Scenario extends Pair {
  /** Short, for the command line. */
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly isStream: boolean
  readonly size?: Size
  /** Milliseconds between the frames of a stream. Default 4. */
  readonly gapMs?: number
  /** The streams begin one after the other, as those of clients that know nothing of each other; else in one moment. */
  readonly isSpread?: boolean
  /** A large call every fifth of a second on a connection of its own, which is not measured. */
  readonly concurrent?: Size
}

const whole = { isStream: false } as const
const streams = { isStream: true } as const

export const callScenarios: readonly Scenario[] = [
  { ...whole, name: 'calls-1', title: 'small JSON, 1 connection', connections: 1 },
  { ...whole, name: 'calls-32', title: 'small JSON, 32 connections', connections: 32 },
  { ...whole, name: 'calls-256', title: 'small JSON, 256 connections', connections: 256 },
]

export const floorScenarios: readonly Scenario[] = [
  { ...whole, name: 'floor', title: 'small JSON, 32 connections', connections: 32 },
]

export const bodyScenarios: readonly Scenario[] = [
  { ...whole, name: 'body-1k', title: '1 KB of text, 32 connections', connections: 32, size: { text: 1000 } },
  { ...whole, name: 'body-100k', title: '100 KB of text, 32 connections', connections: 32, size: { text: 100_000 } },
  {
    ...whole,
    name: 'body-100k-messages',
    title: '100 KB of text, Messages over chat, 32 connections',
    connections: 32,
    size: { text: 100_000 },
    client: 'anthropic-messages',
  },
  { ...whole, name: 'body-5m', title: '5 MB picture, 4 connections', connections: 4, size: { image: 5_000_000 } },
]

interface Spoken {
  readonly name: string
  readonly title: string
  readonly dialect: SpokenDialect
}

const chat: Spoken = { name: 'chat', title: 'chat completions', dialect: 'openai-chat' }
const others: readonly Spoken[] = [
  { name: 'messages', title: 'Messages', dialect: 'anthropic-messages' },
  { name: 'responses', title: 'Responses', dialect: 'openai-responses' },
  { name: 'gemini', title: 'Gemini', dialect: 'gemini' },
]

const long = { ...streams, connections: 32 } as const

/** Long streams of each dialect from an upstream that speaks it. */
export const passedScenarios: readonly Scenario[] = [chat, ...others].map(({ name, title, dialect }) => ({
  ...long,
  name: `long-${name}`,
  title: `32 long streams of ${title} passed through`,
  client: dialect,
  upstream: dialect,
}))

/** And of each over each other. */
export const translatedScenarios: readonly Scenario[] = [chat, ...others].flatMap((upstream) =>
  [chat, ...others]
    .filter((client) => client !== upstream)
    .map((client) => ({
      ...long,
      name: `long-${client.name}-over-${upstream.name}`,
      title: `32 long streams, ${client.title} over ${upstream.title}`,
      client: client.dialect,
      upstream: upstream.dialect,
    })),
)

export const streamScenarios: readonly Scenario[] = [
  { ...streams, name: 'streams-32', title: '32 streams passed through', connections: 32 },
  ...others.map(({ name, title, dialect }) => ({
    ...streams,
    name: `streams-${name}`,
    title: `32 streams, ${title} over chat`,
    connections: 32,
    client: dialect,
  })),
  {
    ...streams,
    name: 'streams-100',
    title: '100 streams, a frame every 20 ms, started one after another',
    connections: 100,
    gapMs: 20,
    isSpread: true,
  },
  {
    ...streams,
    name: 'streams-100-at-once',
    title: '100 streams, a frame every 20 ms, started at once',
    connections: 100,
    gapMs: 20,
  },
  { ...streams, name: 'streams-400', title: '400 streams, a frame every 50 ms', connections: 400, gapMs: 50 },
]

/** Streams whose lateness tells what others notice of something large. */
export const hundred = { ...streams, connections: 100, gapMs: 20 }

export const concurrentScenarios: readonly Scenario[] = [
  { ...hundred, name: 'alone', title: '100 streams alone' },
  { ...hundred, name: 'beside-400k', title: '100 streams beside 400 KB prompts', concurrent: { text: 400_000 } },
  { ...hundred, name: 'beside-5m', title: '100 streams beside 5 MB pictures', concurrent: { image: 5_000_000 } },
]

export const profileScenarios: readonly Scenario[] = [
  { ...whole, name: 'profile-calls', title: 'small JSON, 32 connections', connections: 32 },
  { ...streams, name: 'profile-streams', title: '32 streams passed through', connections: 32 },
]

/** What memory is measured under. */
export const manyStreams = { ...streams, name: 'many', title: '400 streams', connections: 400, gapMs: 50 } as const
