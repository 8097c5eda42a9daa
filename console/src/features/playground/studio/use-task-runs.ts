import { useState } from 'react'
import * as z from 'zod'

import { newId } from '../session/new-id'
import type { Failure } from '../session/session'
import { answeredBy, ChatError, failIfRefused, failureOf, postAsUser } from '../stream/post-as-user'
import { parseJson } from '../../../lib/text/parse-json'

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

/** A song or a video as the reader describes it. */
export interface TaskRequest {
  readonly path: '/pg/suno/submit/music' | '/pg/videos'
  readonly prompt: string
  readonly body: Readonly<Record<string, string | number | boolean>>
}

/** Returns the texts that are not empty: what is left to the model is not sent. */
export const filledTexts = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])))

/** Videos have an id; songs are answered as Suno-API does, refusals too. */
const Accepted = z.union([
  z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  z.object({ code: z.literal('success'), data: z.string().min(1) }).transform(({ data }) => data),
])
const Refused = z.object({ code: z.string(), message: z.string() })

/**
 * Submits a task as the signed-in user and resolves with its public id.
 * @throws ChatError when the gateway refuses; TypeError without a network.
 */
async function submitTask({ path, body }: TaskRequest): Promise<string> {
  const response = await postAsUser(path, body, AbortSignal.timeout(submissionMs))
  const answer = answeredBy(response)
  const value = parseJson(await response.text())
  failIfRefused(asError(value), answer)
  const id = Accepted.safeParse(value).data
  if (!response.ok || id === undefined) throw new ChatError({ kind: 'malformed', ...answer })
  return id
}

/** Vendors may take this long to accept. */
const submissionMs = 120_000

const asError = (value: unknown): unknown => {
  const refused = Refused.safeParse(value).data
  return refused && refused.code !== 'success' ? { error: refused } : value
}
