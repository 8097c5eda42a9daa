import type { Arrived } from '../session/grow-answer'
import type { Action, Facts } from '../session/reducer'
import type { ChatBody } from '../session/request-body'
import type { CallChat } from '../stream/call-chat'
import { ChatError, failureOf } from '../stream/post-as-user'
import type { RawLog } from './raw-log'

interface Running {
  readonly answerId: string
  readonly call: CallChat
  readonly body: ChatBody
  readonly signal: AbortSignal
  readonly batch: FrameBatch
  readonly raw: RawLog
  readonly dispatch: (action: Action) => void
  readonly now: () => number
}

const emptyDelta: Arrived = { content: '', reasoning: '', images: [] }

/** Makes a call and updates its response once per animation frame; never rejects. */
export async function runAnswer({ answerId, call, body, signal, batch, raw, dispatch, now }: Running): Promise<void> {
  const startedAt = now()
  let pending = emptyDelta
  let pendingAtMs = 0
  let facts: Facts = {}
  function flush() {
    if (Object.keys(facts).length > 0) dispatch({ kind: 'answer-known', answerId, facts })
    if (pending !== emptyDelta) dispatch({ kind: 'answer-grew', answerId, arrived: pending, atMs: pendingAtMs })
    facts = {}
    pending = emptyDelta
  }
  const events = {
    onDecision: ({ status }: { readonly status: number }) => raw.setStatus(answerId, status),
    onFrame: (data: string) => raw.frame(answerId, data),
    onArrived(arrived: Arrived) {
      // The first chunk of a batch determines the time of arrival.
      if (pending === emptyDelta) pendingAtMs = now() - startedAt
      pending = joinArrived(pending, arrived)
      batch.schedule(flush)
    },
    onFacts(more: Facts) {
      facts = { ...facts, ...more }
      batch.schedule(flush)
    },
  }
  const end = (ending: { isStopped?: boolean; failure?: ReturnType<typeof failureOf> }) => {
    flush()
    dispatch({ kind: 'answer-ended', answerId, ending: { tookMs: now() - startedAt, ...ending } })
  }
  raw.start(answerId, body)
  try {
    await call(body, events, signal)
    end({})
  } catch (error) {
    const isStopped = signal.aborted && !(error instanceof ChatError)
    end(isStopped ? { isStopped } : { failure: failureOf(error) })
  }
}

const joinArrived = (one: Arrived, other: Arrived): Arrived => ({
  content: one.content + other.content,
  reasoning: one.reasoning + other.reasoning,
  images: [...one.images, ...other.images],
  ...((one.toolCalls ?? other.toolCalls) && { toolCalls: [...(one.toolCalls ?? []), ...(other.toolCalls ?? [])] }),
})

/** Maximum delay in a background tab, which is not painted. */
const maxFrameDelayMs = 250

/** Runs tasks with the next animation frame, each once however often it was requested. */
export class FrameBatch {
  readonly #waiting = new Set<() => void>()
  #frame: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  schedule(task: () => void): void {
    this.#waiting.add(task)
    if (this.#frame !== undefined) return
    this.#frame = requestAnimationFrame(() => this.#flush())
    this.#timer = setTimeout(() => this.#flush(), maxFrameDelayMs)
  }

  #flush(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#frame = undefined
    this.#timer = undefined
    const tasks = [...this.#waiting]
    this.#waiting.clear()
    for (const task of tasks) task()
  }
}
