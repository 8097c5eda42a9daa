import type { Answer, Failure, ToolCall } from './session'
import { thoughtOf } from './thinking'

/** A part of a tool call; parts with the same index belong together. */
export interface ToolCallPiece {
  readonly index: number
  readonly id?: string
  readonly name?: string
  readonly input?: string
}

/** What arrived of a response since the last time. */
export interface Arrived {
  readonly content: string
  readonly reasoning: string
  readonly images: readonly string[]
  readonly toolCalls?: readonly ToolCallPiece[]
}

/** How a response ended. */
export interface Ending {
  readonly tookMs: number
  readonly isStopped?: boolean
  readonly failure?: Failure
}

/** Returns a response extended by what arrived. */
export function grown(answer: Answer, arrived: Arrived, atMs: number): Answer {
  const next: Answer = {
    ...answer,
    status: 'incomplete',
    content: answer.content + arrived.content,
    reasoning: answer.reasoning + arrived.reasoning,
    images: [...answer.images, ...arrived.images],
    ...(arrived.toolCalls && { toolCalls: withPieces(answer.toolCalls ?? [], arrived.toolCalls) }),
    firstTokenMs: answer.firstTokenMs ?? atMs,
  }
  const { reasoning, text } = thoughtOf(next)
  const thoughtFromMs = next.thoughtFromMs ?? (reasoning ? atMs : undefined)
  const isThoughtOver = thoughtFromMs !== undefined && text !== ''
  return { ...next, thoughtFromMs, thoughtToMs: next.thoughtToMs ?? (isThoughtOver ? atMs : undefined) }
}

function withPieces(calls: readonly ToolCall[], pieces: readonly ToolCallPiece[]): ToolCall[] {
  const byIndex = new Map(calls.map((call) => [call.index, call]))
  for (const { index, id, name = '', input = '' } of pieces) {
    const before = byIndex.get(index) ?? { index, id: id ?? `call_${index}`, name: '', input: '' }
    byIndex.set(index, { ...before, name: before.name + name, input: before.input + input })
  }
  return [...byIndex.values()]
}

/** Returns a finished response. */
export const endAnswer = (answer: Answer, { tookMs, isStopped = false, failure }: Ending): Answer => ({
  ...answer,
  status: failure ? 'error' : 'complete',
  isStopped,
  failure,
  requestId: answer.requestId ?? failure?.requestId,
  thoughtToMs: answer.thoughtToMs ?? (answer.thoughtFromMs === undefined ? undefined : tookMs),
  tookMs,
})
