import { useState } from 'react'

interface List {
  readonly items: readonly { readonly id: number }[]
}

interface HeldOptions {
  /** The reader is reading: nothing may move. */
  readonly isHeld: boolean
  /** The query; rows of another query are not held. */
  readonly question: string
  /** The rows belong to the previous query. */
  readonly isPlaceholder: boolean
}

/** Returns the rows to show of the newest page: all of them, or those from when the reading began and the number of newer ones. */
export function useHeldRows<Data extends List>(newest: Data | undefined, options: HeldOptions) {
  const { isHeld, question, isPlaceholder } = options
  const [kept, keep] = useState<{ readonly question: string; readonly data: Data } | undefined>()
  const isKept = isHeld && kept?.question === question
  if (kept && !isKept) keep(undefined)
  if (!kept && isHeld && newest && !isPlaceholder) keep({ question, data: newest })
  return {
    data: isKept ? kept.data : newest,
    newRows: isKept ? newSince(newest?.items ?? [], kept.data.items) : 0,
    /** Shows the newer rows. */
    release: () => keep(newest && { question, data: newest }),
  }
}

/** Returns how many rows of the newest page are newer than those shown. */
function newSince(newest: readonly { readonly id: number }[], shown: readonly { readonly id: number }[]): number {
  const last = shown[0]?.id ?? 0
  return newest.filter(({ id }) => id > last).length
}
