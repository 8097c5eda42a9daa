import type { Message, NeutralCall } from './call'
import type { Warn } from './codec'
import { partLabel } from './left-out'

/** What a call may ask for in addition to its messages, and how the log names it. */
const features = {
  maxTokens: ['max_tokens', ({ sampling }) => sampling.maxTokens !== null],
  temperature: ['temperature', ({ sampling }) => sampling.temperature !== null],
  topP: ['top_p', ({ sampling }) => sampling.topP !== null],
  topK: ['top_k', ({ sampling }) => sampling.topK !== null],
  stop: ['stop sequences', ({ sampling }) => sampling.stop.length > 0],
  seed: ['seed', ({ sampling }) => sampling.seed !== null],
  penalties: ['penalties', ({ sampling }) => sampling.presencePenalty !== null || sampling.frequencyPenalty !== null],
  logProbabilities: ['log probabilities', ({ sampling }) => sampling.hasLogProbabilities],
  choices: ['more than one choice', ({ sampling }) => sampling.choices > 1],
  tools: ['tools', ({ tools }) => tools.length > 0],
  parallelTools: [
    'parallel_tool_calls',
    ({ tools, parallelTools }) => parallelTools === false && tools.some(({ kind }) => kind === 'function'),
  ],
  output: ['the format of the answer', ({ output }) => output !== null],
  thinking: ['thinking', ({ thinking }) => thinking?.isEnabled === true],
  user: ['user', ({ user }) => user !== null],
  metadata: ['metadata', ({ metadata }) => metadata !== null && Object.keys(metadata).length > 0],
  serviceTier: ['service_tier', ({ serviceTier: tier }) => tier !== null && tier !== 'auto' && tier !== 'default'],
  modalities: ['answers in anything but text', ({ modalities }) => modalities.length > 0],
} as const satisfies Record<string, readonly [what: string, isAsked: (call: NeutralCall) => boolean]>

export type Feature = keyof typeof features

/** Warns of everything that the call asks for, but for what the vendor can be told. */
export function warnOfUnsupported(call: NeutralCall, reported: readonly Feature[], warn: Warn): void {
  const known: ReadonlySet<string> = new Set(reported)
  for (const [feature, [what, isRequested]] of Object.entries(features))
    if (!known.has(feature) && isRequested(call)) warn(what)
}

/** Warns of a number of tokens, where thinking is switched on or off and nothing else. */
export function warnOfBudget({ thinking }: Pick<NeutralCall, 'thinking'>, warn: Warn): void {
  if (thinking?.isEnabled === true && (thinking.budgetTokens ?? 0) > 0) warn('the number of thinking tokens')
}

/** The text of a message for a vendor that takes nothing else. */
export const plainText = ({ parts }: Pick<Message, 'parts'>, warn: Warn): string =>
  parts
    .map((part) => {
      if (part.kind === 'text' || part.kind === 'refusal') return part.text
      warn(part.kind === 'own' ? partLabel(part) : part.kind === 'thinking' ? 'earlier thinking' : part.kind)
      return ''
    })
    .join('')
