/** Maximum delay in a background tab, which is not painted. */
const maxMs = 250

/** Runs tasks with the next animation frame, each once however often it was requested. */
export interface FrameBatch {
  readonly schedule: (task: () => void) => void
  /** Runs pending tasks now. */
  readonly flush: () => void
}

export function frameBatch(): FrameBatch {
  const waiting = new Set<() => void>()
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  function flush() {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = undefined
    timer = undefined
    const tasks = [...waiting]
    waiting.clear()
    for (const task of tasks) task()
  }
  function schedule(task: () => void) {
    waiting.add(task)
    if (frame !== undefined) return
    frame = requestAnimationFrame(flush)
    timer = setTimeout(flush, maxMs)
  }
  return { schedule, flush }
}
