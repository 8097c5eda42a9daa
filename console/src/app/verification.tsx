import { lazy, Suspense, useEffect, useState } from 'react'
import type { RouteResult, SecondFactorRequest, sessionRoutes, StepUpPurpose } from '@tollgate/contract'

import { setSecondFactor, setStepUp } from '../lib/api/verification'

const StepUpDialog = lazy(async () => ({
  default: (await import('../components/dialogs/step-up-dialog')).StepUpDialog,
}))

interface ProofQuestion {
  readonly purpose: StepUpPurpose
  readonly complete: (proof: string | null) => void
}

/** Renders nothing until a call requires the reader to confirm their identity. */
export function StepUp() {
  const [question, setQuestion] = useState<ProofQuestion | undefined>()
  useEffect(() => {
    setStepUp(
      (purpose) =>
        new Promise((resolve) => {
          setQuestion((earlier) => {
            earlier?.complete(null)
            return { purpose, complete: resolve }
          })
        }),
    )
    return () => setStepUp(undefined)
  }, [])
  if (!question) return null
  const end = (proof: string | null) => {
    setQuestion(undefined)
    question.complete(proof)
  }
  return (
    <Suspense>
      <StepUpDialog purpose={question.purpose} onProven={end} onClose={() => end(null)} />
    </Suspense>
  )
}

const SecondFactorDialog = lazy(async () => ({
  default: (await import('../features/account/second-factor-dialog')).SecondFactorDialog,
}))

type SignedIn = RouteResult<typeof sessionRoutes.logIn>

interface FactorQuestion {
  readonly request: SecondFactorRequest
  readonly complete: (user: SignedIn | null) => void
}

/** Renders nothing until a sign-in requires a second factor. */
export function SecondFactor() {
  const [question, setQuestion] = useState<FactorQuestion | undefined>()
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
