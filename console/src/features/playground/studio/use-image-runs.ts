import { useRef, useState } from 'react'

import { loggedCall } from '../../../lib/api/logged-call'
import type { Failure } from '../session/session'
import { newId } from '../session/new-id'
import { failureOf } from '../stream/chat-error'
import { makeImages, type ImageRequest } from './make-images'

/** One request and its outcome. */
export interface ImageRun {
  readonly id: string
  readonly request: ImageRequest
  /** Milliseconds. */
  readonly startedAt: number
  readonly tookMs?: number
  readonly images?: readonly string[]
  readonly failure?: Failure
  readonly requestId?: string | undefined
  /** The charge, once the log has it. */
  readonly quota?: number
}

/** The requests of this visit, newest first, and functions that start and stop one. */
export function useImageRuns() {
  const [runs, setRuns] = useState<readonly ImageRun[]>([])
  const current = useRef(new Map<string, AbortController>())
  const change = (id: string, changes: Partial<ImageRun>) =>
    setRuns((known) => known.map((run) => (run.id === id ? { ...run, ...changes } : run)))
  const remove = (id: string) => setRuns((known) => known.filter((run) => run.id !== id))

  async function make(request: ImageRequest) {
    const run: ImageRun = { id: newId(), request, startedAt: Date.now() }
    const controller = new AbortController()
    current.current.set(run.id, controller)
    setRuns((known) => [run, ...known])
    try {
      const result = await makeImages(request, controller.signal)
      change(run.id, { ...result, tookMs: Date.now() - run.startedAt })
      const logged = result.requestId ? await loggedCall(result.requestId) : undefined
      if (logged) change(run.id, { quota: logged.quota })
    } catch (error) {
      if (controller.signal.aborted) remove(run.id)
      else change(run.id, { failure: failureOf(error), tookMs: Date.now() - run.startedAt })
    } finally {
      current.current.delete(run.id)
    }
  }

  return {
    runs,
    make: (request: ImageRequest) => void make(request),
    stop: (id: string) => current.current.get(id)?.abort(),
  }
}
