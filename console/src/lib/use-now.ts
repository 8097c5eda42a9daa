import { useEffect, useState } from 'react'

/** The time in milliseconds, renewed every `stepMs` while the page is open. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}
