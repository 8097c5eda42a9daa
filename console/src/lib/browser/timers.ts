import { useEffect, useState } from 'react'

/** Returns the time in milliseconds, updated every `stepMs` while the page is open. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}

interface Countdown {
  /** Seconds; 0 when it is not running. */
  readonly left: number
  readonly start: () => void
}

/** Counts down from this many seconds, once started. */
export function useCountdown(seconds: number): Countdown {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return undefined
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return { left, start: () => setLeft(seconds) }
}
