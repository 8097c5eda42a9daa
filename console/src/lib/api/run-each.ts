import { ApiError } from '@tollgate/contract'

import { toApiError } from './api'

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
