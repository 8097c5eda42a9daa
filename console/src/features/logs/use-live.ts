import { useState } from 'react'

const pollMs = 2_000

/** Whether new rows are polled. */
export function useLive(isPossible: boolean) {
  const [isWanted, want] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const isOn = isWanted && isPossible
  return {
    isPossible,
    isOn,
    isPaused: isOn && isPaused,
    toggle: () => {
      want(!isOn)
      setPaused(false)
    },
    pause: () => setPaused(!isPaused),
    pollMs: isOn ? pollMs : undefined,
  }
}
export type Live = ReturnType<typeof useLive>
