import { ApiError } from '@tollgate/contract'

import { understood } from './api'

/** What has become of a list of calls so far. */
export interface Progress<Item, Result> {
  readonly total: number
  readonly results: readonly Result[]
  readonly failures: readonly { readonly item: Item; readonly error: ApiError }[]
  /** Not tried, because trying on was useless. */
  readonly left: readonly Item[]
}

interface EachOptions<Item, Result> {
  readonly onProgress?: (progress: Progress<Item, Result>) => void
  /** Leave the rest untried after a failure. Those that every further call would meet too always end it. */
  readonly stopsAtFailure?: boolean
}

/** Signed out, limited, or nobody there: the next call would fail alike. */
const endsAll = ({ status }: ApiError) => status === 0 || status === 401 || status === 429

/** Do one thing after the other, telling how far it is; a failure of one does not undo the others. */
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
      const error = thrown instanceof ApiError ? thrown : understood(thrown)
      progress = { ...progress, failures: [...progress.failures, { item, error }], left: progress.left.slice(1) }
      if (stopsAtFailure || endsAll(error)) break
    }
    onProgress?.(progress)
  }
  return progress
}
