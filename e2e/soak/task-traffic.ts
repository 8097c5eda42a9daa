import type { TaskFate } from '@tollgate/simulator'

import type { Seal } from '../../gateway/src/platform/store/seal'
import type { Queries } from '../ledger-audit'
import { callBack } from './call-back'
import type { Random } from './random'
import type { Payer } from './site'

/** What a client knows of a task that it submitted. */
export interface TaskOutcome {
  /** Part of its prompt. */
  readonly name: string
  /** How its vendor behaves. */
  readonly fate: TaskFate
  readonly payer: Payer
  /** Empty: it was refused, or the response was lost. */
  readonly taskId: string
  /** No response came in time. */
  readonly isLate: boolean
}

export interface TaskTrafficOptions {
  readonly name: string
  readonly urls: readonly [string, ...string[]]
  readonly payers: readonly [Payer, ...Payer[]]
  readonly random: Random
  /** No task is submitted after this has resolved. */
  readonly until: Promise<unknown>
  /** That of the gateways. */
  readonly seal: Seal
  readonly queries: Queries
}

const clients = 3
const timeoutMs = 20_000
const pauses = { least: 20, most: 120, afterFailure: 150 }
const fates = ['finish', 'finish', 'at-once', 'at-once', 'fail', 'flip', 'forget', 'refuse', 'hang'] as const
const callBackMs = 150

/** Submits songs, whose vendor calls back all the time. Resolves when all submissions have ended. */
export async function submitUntil(options: TaskTrafficOptions): Promise<TaskOutcome[]> {
  const { random, until, urls, seal, queries } = options
  const outcomes: TaskOutcome[] = []
  const state = { isOver: false, tasks: 0 }
  void until.then(() => (state.isOver = true))
  const client = async () => {
    while (!state.isOver) {
      const outcome = await submitOne(options, (state.tasks += 1))
      outcomes.push(outcome)
      const isTaken = outcome.taskId !== ''
      await Bun.sleep(isTaken ? random.between(pauses.least, pauses.most) : pauses.afterFailure)
    }
  }
  const clock = async () => {
    while (!state.isOver) {
      // The database may be away.
      await callBack({ url: urls[0], seal, queries }).catch(() => {})
      await Bun.sleep(callBackMs)
    }
  }
  await Promise.all([...Array.from({ length: clients }, client), clock()])
  return outcomes
}

async function submitOne({ name: round, urls, payers, random }: TaskTrafficOptions, number: number) {
  const name = `soak-${round}-song-${number}`
  const [payer, fate] = [random.pick(payers), random.pick(fates)]
  const timeout = AbortSignal.timeout(timeoutMs)
  const outcome = { name, fate, payer, taskId: '', isLate: false }
  try {
    const response = await fetch(`${random.pick(urls)}/suno/submit/music`, {
      method: 'POST',
      headers: { authorization: `Bearer ${payer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: `${name} ${fate}` }),
      keepalive: false,
      signal: timeout,
    })
    const { data }: { data?: unknown } = await response.json()
    if (response.ok && typeof data === 'string') outcome.taskId = data
  } catch {
    // The response was lost, whatever became of the task.
    outcome.isLate = timeout.aborted
  }
  return outcome
}
