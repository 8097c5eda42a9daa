import { useLayoutEffect, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let placeholders = 0

function add(count: 1 | -1): void {
  placeholders += count
  for (const listener of listeners) listener()
}

/** Announces that a placeholder stands where the content of the page will be. */
export const usePlaceholder = (): void =>
  useLayoutEffect(() => {
    add(1)
    return () => add(-1)
  }, [])

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Whether the page still waits for its content. A selector with `:has()` would know too, but browsers compute the style of the whole page again
 * with every change for it.
 */
export const useIsWaiting = (): boolean => useSyncExternalStore(subscribe, () => placeholders > 0)
