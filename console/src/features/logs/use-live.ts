import { useState } from 'react'

const pollMs = 2_000

/** Whether new rows are polled. */
export function useLive(isPossible: boolean) {
  const [isRequested, setRequested] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const isOn = isRequested && isPossible
  return {
    isPossible,
    isOn,
    isPaused: isOn && isPaused,
    toggle: () => {
      setRequested(!isOn)
      setPaused(false)
    },
    pause: () => setPaused(!isPaused),
    pollMs: isOn ? pollMs : undefined,
  }
}
export type Live = ReturnType<typeof useLive>
