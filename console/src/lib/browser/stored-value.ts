import { useSyncExternalStore } from 'react'
import type * as z from 'zod'
import { parseJson } from '../text/parse-json'

const listeners = new Map<string, Set<() => void>>()

interface StoredOptions {
  /** The text is the value, not JSON. */
  readonly isPlain?: boolean
}

/** An entry of local storage whose value is JSON, or plain text. Texts that do not match its schema count as absent. */
export class StoredValue<T> {
  readonly key: string
  readonly #schema: z.ZodType<T>
  readonly #fallback: T
  readonly #isPlain: boolean
  #seenText: string | null | undefined
  #seenValue: T

  constructor(key: string, schema: z.ZodType<T>, fallback: T, { isPlain = false }: StoredOptions = {}) {
    this.key = key
    this.#schema = schema
    this.#fallback = fallback
    this.#isPlain = isPlain
    this.#seenValue = fallback
  }

  // React takes these as functions, and notices when they are others.
  readonly get = (): T => {
    const text = readText(this.key)
    if (text !== this.#seenText) {
      this.#seenText = text
      this.#seenValue = this.#parse(text)
    }
    return this.#seenValue
  }

  readonly set = (value: T): void => {
    writeText(this.key, this.#isPlain ? String(value) : JSON.stringify(value))
    notifyListeners(this.key)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const own = listeners.get(this.key) ?? new Set()
    listeners.set(this.key, own.add(listener))
    return () => own.delete(listener)
  }

  clear(): void {
    writeText(this.key, null)
    notifyListeners(this.key)
  }

  #parse(text: string | null): T {
    if (text === null) return this.#fallback
    const result = this.#schema.safeParse(this.#isPlain ? text : parseJson(text))
    return result.success ? result.data : this.#fallback
  }
}

/** Returns the value and its setter; other tabs and other components follow. */
export function useStored<T>(entry: StoredValue<T>): readonly [T, (value: T) => void] {
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
