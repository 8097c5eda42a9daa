import { Spread, type Series } from './series'

const lookMs = 100
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures how late a timer of a tenth of a second fires: as a histogram, so that one reader takes nothing from others. */
export function watchEventLoop(now: () => number): Series {
  const delays = new Spread(
    'tollgate_event_loop_delay_seconds',
    'How late a timer of 0.1 s fires, and so everything else that waits.',
    bounds,
  )
  let expected = now() + lookMs
  const timer = setInterval(() => {
    const late = Math.max(0, now() - expected)
    delays.observe(late / 1000)
    expected = now() + lookMs
  }, lookMs)
  timer.unref()
  return delays
}
