import { useEffect, useRef, useState } from 'react'

import { loggedCall, type LoggedCall } from '../../lib/api/logged-call'
import { tryCall, type TryCall } from './try-call'

/** State of a first call. */
type Trial =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' | 'stopped'; readonly text: string }
  | {
      readonly kind: 'done'
      readonly text: string
      readonly tookMs: number
      /** Its row in the log, once that has it. */
      readonly logged?: LoggedCall | undefined
    }
  | { readonly kind: 'failed'; readonly text: string; readonly error: unknown }

/** Makes a call and follows its response; unmounting aborts it. */
export function useTry() {
  const [trial, setTrial] = useState<Trial>({ kind: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(requested: Omit<TryCall, 'signal' | 'onText'>) {
    const controller = new AbortController()
    running.current = controller
    const startedAt = performance.now()
    let text = ''
    setTrial({ kind: 'running', text })
    const onText = (piece: string) => {
      text += piece
      setTrial({ kind: 'running', text })
    }
    try {
      const requestId = await tryCall({ ...requested, signal: controller.signal, onText })
      const done = { kind: 'done', text, tookMs: performance.now() - startedAt } as const
      setTrial(done)
      const logged = requestId === undefined ? undefined : await loggedCall(requestId)
      if (!controller.signal.aborted && running.current === controller) setTrial({ ...done, logged })
    } catch (error) {
      setTrial(controller.signal.aborted ? { kind: 'stopped', text } : { kind: 'failed', text, error })
    }
  }

  return { trial, start, stop: () => running.current?.abort() }
}
