import { Spread, type Series } from '../../platform/telemetry/metrics/series'
import type { Time } from '../../platform/time/timers'

const pollIntervalMs = 100
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures how late a timer of a tenth of a second fires: as a histogram, so that one reader takes nothing from others. */
export function watchEventLoop({ clock, timers }: Time): Series {
  const delays = new Spread(
    'tollgate_event_loop_delay_seconds',
    'How late a timer of 0.1 s fires, and so everything else that waits.',
    bounds,
  )
  let expected = clock.monotonic() + pollIntervalMs
  timers.every(pollIntervalMs, () => {
    const late = Math.max(0, clock.monotonic() - expected)
    delays.observe(late / 1000)
    expected = clock.monotonic() + pollIntervalMs
  })
  return delays
}
