/** How long a page that is not painted, in a background tab, may wait. */
const longestMs = 250

/** Runs tasks with the next picture of the page, each once however often it was asked for. */
export interface FrameBatch {
  readonly ask: (task: () => void) => void
  /** Run what waits now. */
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
  function ask(task: () => void) {
    waiting.add(task)
    if (frame !== undefined) return
    frame = requestAnimationFrame(flush)
    timer = setTimeout(flush, longestMs)
  }
  return { ask, flush }
}
