import { useState } from 'react'

const pollMs = 2_000

interface List<Row> {
  readonly items: readonly Row[]
}

/**
 * New rows as they come. While a row is open or the reader holds the list, what is shown stays and the new ones are counted.
 */
export function useLive(isPossible: boolean) {
  const [isOn, setOn] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const [kept, keep] = useState<List<{ readonly id: number }> | undefined>()
  const isLive = isOn && isPossible

  /** What to show of the newest page. */
  function held<Data extends List<{ readonly id: number }>>(data: Data | undefined, isReading: boolean) {
    if (!isLive || !(isReading || isPaused)) {
      if (kept) keep(undefined)
      return { data, newRows: 0 }
    }
    if (!kept) {
      if (data) keep(data)
      return { data, newRows: 0 }
    }
    return { data: kept as Data, newRows: newSince(data?.items ?? [], kept.items) }
  }

  return {
    isPossible,
    isOn: isLive,
    isPaused,
    toggle: () => {
      setOn(!isLive)
      setPaused(false)
    },
    pause: () => setPaused(!isPaused),
    /** Show what came in meanwhile. */
    release: () => {
      keep(undefined)
      setPaused(false)
    },
    held,
    pollMs: isLive ? pollMs : undefined,
  }
}
export type Live = ReturnType<typeof useLive>

/** How many rows of the newest page are newer than what is shown. */
export function newSince(
  newest: readonly { readonly id: number }[],
  shown: readonly { readonly id: number }[],
): number {
  const last = shown[0]?.id ?? 0
  return newest.filter(({ id }) => id > last).length
}
