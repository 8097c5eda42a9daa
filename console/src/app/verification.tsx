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
  const { subject, reply } = question
  return (
    <Suspense>
      <StepUpDialog purpose={subject} onProven={reply} onClose={() => reply(null)} />
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
  const { subject, reply } = question
  return (
    <Suspense>
      <SecondFactorDialog request={subject} onSignedIn={reply} onClose={() => reply(null)} />
    </Suspense>
  )
}

interface Question<Subject, Reply> {
  readonly subject: Subject
  /** Ends the question; null when the reader cancels. */
  readonly reply: (reply: Reply | null) => void
}

/** Returns what a call waits for the reader to reply to. A later question cancels an earlier one. */
function useQuestion<Subject, Reply>(
  setAsking: (ask: ((subject: Subject) => Promise<Reply | null>) | undefined) => void,
): Question<Subject, Reply> | undefined {
  const [question, setQuestion] = useState<Question<Subject, Reply> | undefined>()
  useEffect(() => {
    setAsking(
      (subject) =>
        new Promise((resolve) => {
          setQuestion((earlier) => {
            earlier?.reply(null)
            return { subject, reply: resolve }
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
