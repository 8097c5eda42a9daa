import { wordsOf, type Behaviour, type RecordedRequest } from '@tollgate/simulator'

import type { ClientResponse, ModelRequest } from './sdk-client'

/** One task of a program, with the outcome expected in every combination of dialects. */
export interface Scenario {
  readonly name: string
  readonly request: Omit<ModelRequest, 'model' | 'stream'>
  readonly upstream: Behaviour
  readonly expected: Partial<ClientResponse>
  /** What the upstream must have received, in any dialect's body. */
  readonly sentTexts?: readonly string[]
  /** Clients whose dialect cannot express it, with the reason. */
  readonly inexpressible?: Readonly<Record<string, string>>
  /** Upstreams that respond without honouring it, with the reason. */
  readonly ignored?: Readonly<Record<string, string>>
}

const noStops = 'OpenAI’s Responses have no stop sequences; the log row says that they were left out.'

/** Returns what the stand-in upstream says in this many tokens. */
const textOf = (tokens: number): string => wordsOf(tokens).join('')

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const hello = { from: 'user', text: 'Hello there' } as const
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
}
const tools = ['forecast', 'history'].map((name) => ({ name, description: `The ${name} of a city`, schema }))
const args = { city: 'sample', days: 7 }

export const scenarios: readonly Scenario[] = [
  {
    name: 'plain',
    request: { turns: [hello], maxTokens: 100 },
    upstream: { tokens: 6 },
    expected: { text: textOf(6), calls: [], ended: 'stop' },
    sentTexts: ['Hello there'],
  },
  {
    name: 'system',
    request: { system: 'You answer in verse', turns: [hello], maxTokens: 100 },
    upstream: { tokens: 3 },
    expected: { text: textOf(3), ended: 'stop' },
    sentTexts: ['You answer in verse'],
  },
  {
    name: 'multi-turn',
    request: {
      turns: [hello, { from: 'model', text: 'Good day' }, { from: 'user', text: 'What did I say?' }],
      maxTokens: 100,
    },
    upstream: { tokens: 4 },
    expected: { text: textOf(4), ended: 'stop' },
    sentTexts: ['Hello there', 'Good day', 'What did I say?'],
  },
  {
    name: 'image',
    request: {
      turns: [{ from: 'user', text: 'What is this?', image: `data:image/png;base64,${png}` }],
      maxTokens: 100,
    },
    upstream: { tokens: 2 },
    expected: { text: textOf(2) },
    sentTexts: [png],
  },
  {
    name: 'parallel tools',
    request: { turns: [hello], tools, maxTokens: 100 },
    upstream: {},
    expected: {
      calls: [
        { name: 'forecast', args },
        { name: 'history', args },
      ],
      ended: 'tools',
    },
    sentTexts: ['The history of a city'],
  },
  {
    name: 'tool results',
    request: {
      turns: [
        hello,
        {
          from: 'model',
          text: 'Let me see',
          calls: [
            { id: 'call_one', name: 'forecast', args },
            { id: 'call_two', name: 'history', args },
          ],
        },
        {
          from: 'tools',
          results: [
            { id: 'call_one', name: 'forecast', text: 'It will rain' },
            { id: 'call_two', name: 'history', text: 'It did rain' },
          ],
        },
      ],
      tools,
      maxTokens: 100,
    },
    upstream: { tokens: 5 },
    expected: { text: textOf(5), calls: [], ended: 'stop' },
    sentTexts: ['It will rain', 'It did rain', 'Let me see'],
  },
  {
    name: 'thinking',
    request: { turns: [hello], thinking: 1024, maxTokens: 4000 },
    upstream: { tokens: 9, thinking: 4 },
    expected: { ended: 'stop' },
  },
  {
    name: 'structured output',
    request: { turns: [hello], schema, maxTokens: 100 },
    upstream: {},
    expected: { text: JSON.stringify(args), ended: 'stop' },
  },
  {
    name: 'long output',
    request: { turns: [hello], maxTokens: 4000 },
    upstream: { tokens: 2000 },
    expected: { text: textOf(2000), ended: 'stop' },
  },
  {
    name: 'cut at the limit',
    request: { turns: [hello], maxTokens: 20 },
    upstream: { tokens: 50 },
    expected: { text: textOf(20), ended: 'length' },
  },
  {
    name: 'stop sequence',
    request: { turns: [hello], stop: ['END'], maxTokens: 100 },
    upstream: { tokens: 3 },
    expected: { text: textOf(3), ended: 'stop' },
    sentTexts: ['END'],
    inexpressible: { 'openai-responses': noStops },
    ignored: { 'openai-responses': noStops },
  },
  {
    name: 'refusal',
    request: { turns: [hello], maxTokens: 100 },
    upstream: { ending: 'refusal' },
    expected: { ended: 'refusal' },
    inexpressible: { 'cohere-chat': 'Cohere’s chats do not tell a refusal from another answer; its text is there.' },
  },
]

/** Whether the upstream received all of it. */
export const reachedUpstream = ({ sentTexts = [] }: Scenario, { body }: RecordedRequest): boolean =>
  sentTexts.every((text) => body.includes(text))
