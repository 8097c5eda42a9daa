import type { Behaviour } from './behaviour'

const overloaded = { message: 'Overloaded', type: 'overloaded_error', code: 'overloaded' }
const throttled = { message: 'Too many tokens', type: 'rate_limit_error', code: 'rate_limit_exceeded' }

/**
 * Faults that some vendors have a form of their own for; the others say them in the nearest one. They are asked for by
 * name like `faults`.
 */
export const dialectFaults = {
  /** Anthropic's own status for it. */
  'status-529': { fault: { kind: 'status', status: 529, error: overloaded } },
  'overloaded-in-200': { fault: { kind: 'error-in-200', status: 529, error: overloaded } },
  'overloaded-after-frames': { fault: { kind: 'error-in-200', status: 529, afterFrames: 3, error: overloaded } },
  /** Bedrock: `throttlingException` in the middle of the stream. */
  'throttled-after-frames': { fault: { kind: 'error-in-200', status: 429, afterFrames: 3, error: throttled } },
  /** Gemini: `promptFeedback.blockReason` and no candidate. */
  'blocked-prompt': { ending: 'blocked' },
  /** Gemini: the stream is one JSON list. */
  'array-stream': { arrayStream: true },
  /** Responses: `response.failed`; elsewhere an error after all of the answer. */
  'answer-failed': { ending: 'failed' },
  /** Responses: `response.incomplete`; elsewhere an answer cut for its length. */
  'answer-incomplete': { ending: 'length' },
  'answer-filtered': { ending: 'content-filter' },
} as const satisfies Record<string, Behaviour>

export type DialectFaultName = keyof typeof dialectFaults

export const isDialectFaultName = (name: string): name is DialectFaultName => Object.hasOwn(dialectFaults, name)
