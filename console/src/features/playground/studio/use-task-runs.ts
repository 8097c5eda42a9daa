import { useState } from 'react'

import { newId } from '../session/new-id'
import type { Failure } from '../session/session'
import { failureOf } from '../stream/chat-error'
import { submitTask, type TaskRequest } from './submit-task'

/** One request and the outcome of its submission. */
export interface TaskRun {
  readonly id: string
  readonly request: TaskRequest
  /** The task's public id, once it was accepted. */
  readonly taskId?: string
  readonly failure?: Failure
}

/** The requests of this visit, newest first. */
export function useTaskRuns() {
  const [runs, setRuns] = useState<readonly TaskRun[]>([])
  const change = (id: string, changes: Partial<TaskRun>) =>
    setRuns((known) => known.map((run) => (run.id === id ? { ...run, ...changes } : run)))

  async function make(request: TaskRequest) {
    const id = newId()
    setRuns((known) => [{ id, request }, ...known])
    try {
      change(id, { taskId: await submitTask(request) })
    } catch (error) {
      change(id, { failure: failureOf(error) })
    }
  }
  return { runs, make: (request: TaskRequest) => void make(request) }
}
