import type { Answer, Failure } from './session'
import { thoughtOf } from './thinking'

/** What arrived of an answer since the last time. */
export interface Arrived {
  readonly content: string
  readonly reasoning: string
  readonly images: readonly string[]
}

/** How an answer ended. */
export interface Ending {
  readonly tookMs: number
  readonly isStopped?: boolean
  readonly failure?: Failure
}

/** An answer with what arrived. */
export function grown(answer: Answer, arrived: Arrived, atMs: number): Answer {
  const next: Answer = {
    ...answer,
    status: 'incomplete',
    content: answer.content + arrived.content,
    reasoning: answer.reasoning + arrived.reasoning,
    images: [...answer.images, ...arrived.images],
    firstTokenMs: answer.firstTokenMs ?? atMs,
  }
  const { reasoning, text } = thoughtOf(next)
  const thoughtFromMs = next.thoughtFromMs ?? (reasoning ? atMs : undefined)
  const isThoughtOver = thoughtFromMs !== undefined && text !== ''
  return { ...next, thoughtFromMs, thoughtToMs: next.thoughtToMs ?? (isThoughtOver ? atMs : undefined) }
}

/** An answer of which nothing more comes. */
export const ended = (answer: Answer, { tookMs, isStopped = false, failure }: Ending): Answer => ({
  ...answer,
  status: failure ? 'error' : 'complete',
  isStopped,
  failure,
  requestId: answer.requestId ?? failure?.requestId,
  thoughtToMs: answer.thoughtToMs ?? (answer.thoughtFromMs === undefined ? undefined : tookMs),
  tookMs,
})
