import { useSyncExternalStore } from 'react'
import type * as z from 'zod'
import { parseJson } from '../text/parse-json'

/** A stored value. Texts that do not match its schema count as absent. */
export interface Stored<T> {
  readonly key: string
  readonly get: () => T
  readonly set: (value: T) => void
  readonly clear: () => void
  readonly subscribe: (listener: () => void) => () => void
}

const listeners = new Map<string, Set<() => void>>()

/** Returns an entry of local storage whose value is JSON, or plain text where `isPlain`. */
export function storedValue<T>(key: string, schema: z.ZodType<T>, fallback: T, { isPlain = false } = {}): Stored<T> {
  let seenText: string | null | undefined
  let seenValue = fallback
  const parse = (text: string | null): T => {
    if (text === null) return fallback
    const result = schema.safeParse(isPlain ? text : parseJson(text))
    return result.success ? result.data : fallback
  }
  return {
    key,
    get() {
      const text = readText(key)
      if (text !== seenText) {
        seenText = text
        seenValue = parse(text)
      }
      return seenValue
    },
    set(value) {
      writeText(key, isPlain ? String(value) : JSON.stringify(value))
      notifyListeners(key)
    },
    clear() {
      writeText(key, null)
      notifyListeners(key)
    },
    subscribe(listener) {
      const own = listeners.get(key) ?? new Set()
      listeners.set(key, own.add(listener))
      return () => own.delete(listener)
    },
  }
}

/** Returns the value and its setter; other tabs and other components follow. */
export function useStored<T>(entry: Stored<T>): readonly [T, (value: T) => void] {
  return [useSyncExternalStore(entry.subscribe, entry.get), entry.set] as const
}

function notifyListeners(key: string) {
  for (const listener of listeners.get(key) ?? []) listener()
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key === null) for (const known of listeners.keys()) notifyListeners(known)
    else notifyListeners(key)
  })
}

/** A browser may forbid storage; the console then works without it. */
function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function writeText(key: string, text: string | null) {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Full or forbidden: nothing is stored.
  }
}
