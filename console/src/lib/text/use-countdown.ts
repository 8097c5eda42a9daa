import { useEffect, useState } from 'react'

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
