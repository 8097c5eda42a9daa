import { useState } from 'react'

interface List {
  readonly items: readonly { readonly id: number }[]
}

interface HeldOptions {
  /** Somebody is reading: nothing may move. */
  readonly isHeld: boolean
  /** What was asked for; rows of another question are not held. */
  readonly question: string
  /** The rows belong to the question before this one. */
  readonly isPlaceholder: boolean
}

/** What to show of the newest page: all of it, or what was there when the reading began and the number of rows since. */
export function useHeldRows<Data extends List>(newest: Data | undefined, options: HeldOptions) {
  const { isHeld, question, isPlaceholder } = options
  const [kept, keep] = useState<{ readonly question: string; readonly data: Data } | undefined>()
  const isKept = isHeld && kept?.question === question
  if (kept && !isKept) keep(undefined)
  if (!kept && isHeld && newest && !isPlaceholder) keep({ question, data: newest })
  return {
    data: isKept ? kept.data : newest,
    newRows: isKept ? newSince(newest?.items ?? [], kept.data.items) : 0,
    /** Show what came in meanwhile. */
    release: () => keep(newest && { question, data: newest }),
  }
}

/** How many rows of the newest page are newer than what is shown. */
function newSince(newest: readonly { readonly id: number }[], shown: readonly { readonly id: number }[]): number {
  const last = shown[0]?.id ?? 0
  return newest.filter(({ id }) => id > last).length
}
