import { useState } from 'react'

const key = (sessionId: string) => `playground-text-${sessionId}`

/** Keeps the text being typed across reloads and a new sign-in. */
export function useComposedText(sessionId: string) {
  const [text, setText] = useState(() => readText(sessionId))
  const change = (next: string) => {
    setText(next)
    writeText(sessionId, next)
  }
  return [text, change] as const
}

function readText(sessionId: string): string {
  try {
    return sessionStorage.getItem(key(sessionId)) ?? ''
  } catch {
    return ''
  }
}

function writeText(sessionId: string, text: string) {
  try {
    if (text === '') sessionStorage.removeItem(key(sessionId))
    else sessionStorage.setItem(key(sessionId), text)
  } catch {
    // Storage is full or forbidden: the text lives with the page only.
  }
}
