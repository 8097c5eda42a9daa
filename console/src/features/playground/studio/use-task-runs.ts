import { useState } from 'react'

import { newId } from '../session/new-id'
import type { Failure } from '../session/session'
import { failureOf } from '../stream/chat-error'
import { submitTask, type TaskWish } from './submit-task'

/** One wish and what became of its submission. */
export interface TaskRun {
  readonly id: string
  readonly wish: TaskWish
  /** The task's public id, once it was accepted. */
  readonly taskId?: string
  readonly failure?: Failure
}

/** The wishes of this visit, newest first. */
export function useTaskRuns() {
  const [runs, setRuns] = useState<readonly TaskRun[]>([])
  const change = (id: string, changes: Partial<TaskRun>) =>
    setRuns((known) => known.map((run) => (run.id === id ? { ...run, ...changes } : run)))

  async function make(wish: TaskWish) {
    const id = newId()
    setRuns((known) => [{ id, wish }, ...known])
    try {
      change(id, { taskId: await submitTask(wish) })
    } catch (error) {
      change(id, { failure: failureOf(error) })
    }
  }
  return { runs, make: (wish: TaskWish) => void make(wish) }
}
