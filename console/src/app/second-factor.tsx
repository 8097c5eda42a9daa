import type { RouteResult, SecondFactorRequest, sessionRoutes } from '@tollgate/contract'
import { lazy, Suspense, useEffect, useState } from 'react'

import { setSecondFactor } from '../lib/api/second-factor'

const SecondFactorDialog = lazy(async () => ({
  default: (await import('../features/account/security/second-factor-dialog')).SecondFactorDialog,
}))

type SignedIn = RouteResult<typeof sessionRoutes.logIn>

interface Question {
  readonly request: SecondFactorRequest
  readonly complete: (user: SignedIn | null) => void
}

/** Renders nothing until a sign-in requires a second factor. */
export function SecondFactor() {
  const [question, setQuestion] = useState<Question | undefined>()
  useEffect(() => {
    setSecondFactor(
      (request) =>
        new Promise((resolve) => {
          setQuestion((earlier) => {
            earlier?.complete(null)
            return { request, complete: resolve }
          })
        }),
    )
    return () => setSecondFactor(undefined)
  }, [])
  if (!question) return null
  const end = (user: SignedIn | null) => {
    setQuestion(undefined)
    question.complete(user)
  }
  return (
    <Suspense>
      <SecondFactorDialog request={question.request} onSignedIn={end} onClose={() => end(null)} />
    </Suspense>
  )
}
