import { createRequire } from 'node:module'

/** What React renders later: `act` runs it at once. */
const waiting = new Set<() => void>()

const require = createRequire(import.meta.url)

interface Task {
  /** Null once it ran or was cancelled. */
  callback: ((didTimeout: boolean) => unknown) | null
}

interface Scheduler {
  unstable_scheduleCallback: (priority: number, callback: Task['callback'], options?: { delay?: number }) => Task
}

/** Gives React the `act` that its production build lacks. Call it before anything imports React. */
export function provideAct(): void {
  // React's own copy.
  const scheduler = createRequire(require.resolve('react-dom/client'))('scheduler') as Scheduler
  const schedule = scheduler.unstable_scheduleCallback
  scheduler.unstable_scheduleCallback = (priority, callback, options) => {
    // In one piece: what is rendered in slices begins anew when an update comes between, the more often the busier the machine is.
    const task = schedule(priority, callback && (() => callback(true)), options)
    const run = () => {
      waiting.delete(run)
      const { callback: render } = task
      if (render === null) return
      task.callback = null
      const rest = render(true)
      // It waits for something: the scheduler calls it again.
      if (typeof rest === 'function') task.callback = rest as Task['callback']
    }
    if (!options?.delay) waiting.add(run)
    return task
  }
  const microtask = globalThis.queueMicrotask
  globalThis.queueMicrotask = (callback) => {
    const run = () => {
      if (waiting.delete(run)) callback()
    }
    waiting.add(run)
    microtask(run)
  }
  // React keeps the two functions it finds when it is loaded.
  require('react-dom/client')
  globalThis.queueMicrotask = microtask
  ;(require('react') as { act?: typeof act }).act = act
}

/** Runs the callback, and all that React renders by it, at once; of an asynchronous one, when it has resolved. */
function act(callback: () => unknown): unknown {
  const result = callback()
  if (isThenable(result)) return afterwards(result)
  runWaiting()
  return undefined
}

async function afterwards(result: PromiseLike<unknown>): Promise<unknown> {
  const value = await result
  runWaiting()
  return value
}

function runWaiting(): void {
  for (const run of waiting) run()
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
