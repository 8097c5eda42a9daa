import { useState } from 'react'

const key = (sessionId: string) => `playground-text-${sessionId}`

/** What is being typed survives a reload and a sign-in in between. */
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
    // Full or forbidden: it is kept by the page alone.
  }
}
