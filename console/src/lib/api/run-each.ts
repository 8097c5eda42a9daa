import { useState } from 'react'
import { ApiError, type Route } from '@tollgate/contract'

import { toApiError } from './api'
import { notifySuccess } from '../browser/notify'
import { useRefresh } from './query'

/** Progress of a list of calls. */
export interface Progress<Item, Result> {
  readonly total: number
  readonly results: readonly Result[]
  readonly failures: readonly { readonly item: Item; readonly error: ApiError }[]
  /** Not tried, because a retry would be useless. */
  readonly left: readonly Item[]
}

interface EachOptions<Item, Result> {
  readonly onProgress?: (progress: Progress<Item, Result>) => void
  /** Stops after any failure. Failures that every further call would meet always stop it. */
  readonly stopsAtFailure?: boolean
}

/** Signed out, rate-limited, or unreachable: the next call would fail as well. */
const endsAll = ({ status }: ApiError) => status === 0 || status === 401 || status === 429

/** Runs items one after the other and reports progress; a failure does not undo the others. */
export async function runEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { onProgress, stopsAtFailure = false }: EachOptions<Item, Result> = {},
): Promise<Progress<Item, Result>> {
  let progress: Progress<Item, Result> = { total: items.length, results: [], failures: [], left: items }
  for (const item of items) {
    try {
      const result = await work(item)
      progress = { ...progress, results: [...progress.results, result], left: progress.left.slice(1) }
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : toApiError(thrown)
      progress = { ...progress, failures: [...progress.failures, { item, error }], left: progress.left.slice(1) }
      if (stopsAtFailure || endsAll(error)) break
    }
    onProgress?.(progress)
  }
  return progress
}

/** A bulk operation. */
export interface Run<Kind, Item> {
  readonly kind: Kind
  readonly progress: Progress<Item, unknown>
  readonly isRunning: boolean
}

interface RunOptions<Kind extends string, Item> {
  readonly works: Readonly<Record<Kind, (item: Item) => Promise<unknown>>>
  /** Reads affected by the work. */
  readonly reads: readonly Route[]
  /** The message when nothing failed. */
  readonly doneText: (kind: Kind, count: number) => string
}

/** Shows the progress of a run; failures stay until they have been read. */
export function useRun<Kind extends string, Item>({ works, reads, doneText }: RunOptions<Kind, Item>) {
  const refresh = useRefresh()
  const [run, setRun] = useState<Run<Kind, Item> | undefined>()
  async function start(kind: Kind, items: readonly Item[]) {
    const show = (progress: Progress<Item, unknown>) => setRun({ kind, progress, isRunning: true })
    show({ total: items.length, results: [], failures: [], left: items })
    const progress = await runEach(items, works[kind], { onProgress: show })
    await refresh(...reads)
    const isClean = progress.failures.length === 0
    setRun(isClean ? undefined : { kind, progress, isRunning: false })
    if (isClean) notifySuccess(doneText(kind, items.length))
  }
  return {
    run,
    start: (kind: Kind, items: readonly Item[]) => void start(kind, items),
    close: () => setRun(undefined),
  }
}
