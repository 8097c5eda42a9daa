/**
 * What becomes of a task. `finish`: queued, in progress, done, one state for each question. `at-once`: done at the first question.
 * `flip`: done, and failed when queried again. `forget`: unknown from the second question on. `refuse`: never accepted.
 */
export const taskFates = ['finish', 'at-once', 'fail', 'hang', 'flip', 'forget', 'refuse'] as const
export type TaskFate = (typeof taskFates)[number]

/** A task as a vendor's stand-in keeps it. */
export interface StandInTask {
  readonly id: string
  /** What was submitted. */
  readonly body: Readonly<Record<string, unknown>>
  readonly fate: TaskFate
  /** How often it was queried. */
  queries: number
}

/** How a task is doing, in no vendor's words. */
export interface TaskState {
  readonly status: 'queued' | 'running' | 'done' | 'failed'
  /** Percent. */
  readonly progress: number
}

/** The tasks of one stand-in. Their states follow from how often they were queried, not from time. */
export class TaskBook {
  readonly tasks = new Map<string, StandInTask>()
  /** For the next submissions, the first first; then `usual`. */
  readonly #next: TaskFate[] = []
  usual: TaskFate = 'finish'
  /** Decides by what was submitted, before `usual`. */
  fateOf: (body: StandInTask['body']) => TaskFate | undefined = () => undefined

  next(...fates: readonly TaskFate[]): void {
    this.#next.push(...fates)
  }

  /** Returns the new task; null where the vendor refuses it. */
  submit(body: StandInTask['body']): StandInTask | null {
    const fate = this.#next.shift() ?? this.fateOf(body) ?? this.usual
    if (fate === 'refuse') return null
    const task: StandInTask = {
      id: `v-${this.tasks.size + 1}-${crypto.randomUUID().slice(0, 8)}`,
      body,
      fate,
      queries: 0,
    }
    this.tasks.set(task.id, task)
    return task
  }

  /** Returns the state that a question finds; null for a task that is unknown or forgotten. */
  query(id: string): TaskState | null {
    const task = this.tasks.get(id)
    if (!task) return null
    task.queries += 1
    return states[task.fate](task.queries)
  }
}

const queued: TaskState = { status: 'queued', progress: 0 }
const done: TaskState = { status: 'done', progress: 100 }
const failed: TaskState = { status: 'failed', progress: 100 }

function inSteps(queries: number, end: TaskState): TaskState {
  if (queries === 1) return queued
  return queries === 2 ? { status: 'running', progress: 50 } : end
}

const states: Readonly<Record<TaskFate, (queries: number) => TaskState | null>> = {
  finish: (queries) => inSteps(queries, done),
  'at-once': () => done,
  fail: (queries) => inSteps(queries, failed),
  hang: () => ({ status: 'running', progress: 10 }),
  flip: (queries) => (queries === 1 ? done : failed),
  forget: (queries) => (queries === 1 ? queued : null),
  refuse: () => null,
}
