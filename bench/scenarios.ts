import type { ClientDialect, Size } from './requests'

/** One kind of load. */
export interface Scenario {
  /** Short, for the command line. */
  readonly name: string
  readonly title: string
  readonly connections: number
  readonly isStream: boolean
  /** What the gateway's client speaks; everything else speaks chat completions, as the upstream does. Default: that too. */
  readonly client?: ClientDialect
  readonly size?: Size
  /** Milliseconds between the frames of a stream. Default 4. */
  readonly gapMs?: number
  /** The streams begin one after the other, as those of clients that know nothing of each other; else in one moment. */
  readonly isSpread?: boolean
  /** A large call every fifth of a second on a connection of its own, which is not measured. */
  readonly beside?: Size
}

const whole = { isStream: false } as const
const streams = { isStream: true } as const

export const callScenarios: readonly Scenario[] = [
  { ...whole, name: 'calls-1', title: 'small JSON, 1 connection', connections: 1 },
  { ...whole, name: 'calls-32', title: 'small JSON, 32 connections', connections: 32 },
  { ...whole, name: 'calls-256', title: 'small JSON, 256 connections', connections: 256 },
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
  { ...whole, name: 'body-5m', title: '5 MB picture, 4 connections', connections: 4, size: { picture: 5_000_000 } },
]

/** Each dialect that clients speak, over the upstream's. */
const pairs = (prefix: string, what: string): readonly Scenario[] => [
  { ...streams, name: `${prefix}-32`, title: `32 ${what} passed through`, connections: 32 },
  ...(
    [
      ['messages', 'Messages', 'anthropic-messages'],
      ['responses', 'Responses', 'openai-responses'],
      ['gemini', 'Gemini', 'gemini'],
    ] as const
  ).map(([name, title, client]) => ({
    ...streams,
    name: `${prefix}-${name}`,
    title: `32 ${what}, ${title} over chat`,
    connections: 32,
    client,
  })),
]

export const longScenarios = pairs('long', 'long streams')

export const streamScenarios: readonly Scenario[] = [
  ...pairs('streams', 'streams'),
  {
    ...streams,
    name: 'streams-100',
    title: '100 streams, a frame each 20 ms, begun one after the other',
    connections: 100,
    gapMs: 20,
    isSpread: true,
  },
  {
    ...streams,
    name: 'streams-100-at-once',
    title: '100 streams, a frame each 20 ms, begun in one moment',
    connections: 100,
    gapMs: 20,
  },
  { ...streams, name: 'streams-400', title: '400 streams, a frame each 50 ms', connections: 400, gapMs: 50 },
]

const hundred = { ...streams, connections: 100, gapMs: 20 }

export const besideScenarios: readonly Scenario[] = [
  { ...hundred, name: 'alone', title: '100 streams alone' },
  { ...hundred, name: 'beside-400k', title: '100 streams beside 400 KB prompts', beside: { text: 400_000 } },
  { ...hundred, name: 'beside-5m', title: '100 streams beside 5 MB pictures', beside: { picture: 5_000_000 } },
]

export const profileScenarios: readonly Scenario[] = [
  { ...whole, name: 'profile-calls', title: 'small JSON, 32 connections', connections: 32 },
  { ...streams, name: 'profile-streams', title: '32 streams passed through', connections: 32 },
]

/** What memory is measured under. */
export const manyStreams = { ...streams, name: 'many', title: '400 streams', connections: 400, gapMs: 50 } as const
