import type { z } from 'zod'

import {
  readSupervisorMessage,
  type WorkersQuestion,
  type SupervisorMessage,
  type Topic,
  type WorkerMessage,
} from './messages'
import { systemTimers } from '../../platform/time/timers'

/** A worker that does not respond within this time is left out. */
const timeoutMs = 1000

interface Question<About, Value> {
  readonly topic: Topic
  /** Returns this worker's own answer. */
  readonly own: (about: About) => Value
  /** The schema of what a question is about. */
  readonly about: z.ZodType<About>
  readonly value: z.ZodType<Value>
}

/**
 * The worker's side. Returns a function that asks every worker of this node through the supervisor, and from now on answers the questions
 * of other workers. Answers that cannot be parsed are left out; if the supervisor does not respond, only this worker's own remains.
 */
export function queryWorkers<About, Value>({
  topic,
  own,
  about: About,
  value: Value,
}: Question<About, Value>): (about: About) => Promise<readonly Value[]> {
  const waiting = new Map<number, (values: readonly Value[]) => void>()
  let questions = 0
  const sendToSupervisor = (message: WorkerMessage) => process.send?.(message)
  const readable = (value: unknown) => {
    const { success, data } = Value.safeParse(value)
    return success ? [data] : []
  }
  process.on('message', (received: unknown) => {
    const message = readSupervisorMessage(received)
    if (message?.kind === 'answers') {
      if (message.topic === topic) waiting.get(message.question)?.(message.values.flatMap(readable))
    } else if (message?.kind === 'question' && message.topic === topic) {
      const { success, data } = About.safeParse(message.about)
      if (success) sendToSupervisor({ kind: 'answer', question: message.question, value: own(data) })
    }
  })
  return async (about) => {
    const question = (questions += 1)
    const { promise, resolve } = Promise.withResolvers<readonly Value[]>()
    const cancel = systemTimers.after(2 * timeoutMs, () => resolve([own(about)]))
    waiting.set(question, resolve)
    sendToSupervisor({ kind: 'asked', topic, question, about })
    try {
      return await promise
    } finally {
      cancel()
      waiting.delete(question)
    }
  }
}

interface Worker {
  send(message: SupervisorMessage): void
}

/** The supervisor's side: passes a worker's question to all workers and collects their answers, without parsing them. */
export class WorkersExchange {
  readonly #open = new Map<number, { values: unknown[]; missing: number; complete: () => void }>()
  #questions = 0

  constructor(
    /** Returns the supervisor's own answers. */
    private readonly own: (topic: Topic) => readonly unknown[],
  ) {}

  /** Collects the answers of all workers and sends them to the one that asked. */
  async collect(workers: readonly Worker[], asker: Worker, { topic, question, about }: WorkersQuestion): Promise<void> {
    const own = (this.#questions += 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const round = { values: [...this.own(topic)], missing: workers.length, complete: resolve }
    this.#open.set(own, round)
    const cancel = systemTimers.after(timeoutMs, resolve)
    for (const worker of workers) sendTo(worker, { kind: 'question', topic, question: own, about })
    await promise
    cancel()
    this.#open.delete(own)
    sendTo(asker, { kind: 'answers', topic, question, values: round.values })
  }

  /** Takes the answer of one worker. */
  take(question: number, value: unknown): void {
    const round = this.#open.get(question)
    if (!round) return
    round.values.push(value)
    round.missing -= 1
    if (round.missing <= 0) round.complete()
  }
}

/** Sends a message to a worker, unless the worker has ended meanwhile. */
export function sendTo(worker: Worker, message: SupervisorMessage): void {
  try {
    worker.send(message)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_IPC_CHANNEL_CLOSED')) throw error
  }
}
