import type { Route } from '@tollgate/contract'
import { useState } from 'react'

import { notifySuccess } from '../browser/notify'
import { useRefresh } from './query'
import { runEach, type Progress } from './run-each'

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
