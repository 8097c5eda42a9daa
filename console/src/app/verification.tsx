import type { RouteResult, SecondFactorRequest, sessionRoutes, StepUpPurpose } from '@tollgate/contract'
import { lazy, Suspense, useEffect, useState } from 'react'

import { setSecondFactor, setStepUp } from '../lib/api/verification'

const StepUpDialog = lazy(async () => ({
  default: (await import('../components/dialogs/step-up-dialog')).StepUpDialog,
}))

/** Renders nothing until a call requires the reader to confirm their identity. */
export function StepUp() {
  const question = useQuestion<StepUpPurpose, string>(setStepUp)
  if (!question) return null
  const { asked, reply } = question
  return (
    <Suspense>
      <StepUpDialog purpose={asked} onProven={reply} onClose={() => reply(null)} />
    </Suspense>
  )
}

const SecondFactorDialog = lazy(async () => ({
  default: (await import('../features/account/second-factor-dialog')).SecondFactorDialog,
}))

/** Renders nothing until a sign-in requires a second factor. */
export function SecondFactor() {
  const question = useQuestion<SecondFactorRequest, RouteResult<typeof sessionRoutes.logIn>>(setSecondFactor)
  if (!question) return null
  const { asked, reply } = question
  return (
    <Suspense>
      <SecondFactorDialog request={asked} onSignedIn={reply} onClose={() => reply(null)} />
    </Suspense>
  )
}

interface Question<Asked, Reply> {
  readonly asked: Asked
  /** Ends the question; null when the reader cancels. */
  readonly reply: (reply: Reply | null) => void
}

/** Returns what a call waits for the reader to reply to. A later question cancels an earlier one. */
function useQuestion<Asked, Reply>(
  setAsking: (ask: ((asked: Asked) => Promise<Reply | null>) | undefined) => void,
): Question<Asked, Reply> | undefined {
  const [question, setQuestion] = useState<Question<Asked, Reply> | undefined>()
  useEffect(() => {
    setAsking(
      (asked) =>
        new Promise((resolve) => {
          setQuestion((earlier) => {
            earlier?.reply(null)
            return { asked, reply: resolve }
          })
        }),
    )
    return () => setAsking(undefined)
  }, [setAsking])
  return (
    question && {
      ...question,
      reply(reply) {
        setQuestion(undefined)
        question.reply(reply)
      },
    }
  )
}
