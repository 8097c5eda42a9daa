import type { StepUpPurpose } from '@tollgate/contract'
import { lazy, Suspense, useEffect, useState } from 'react'

import { setStepUp } from '../lib/api/step-up'

const StepUpDialog = lazy(async () => ({
  default: (await import('../components/dialogs/step-up-dialog')).StepUpDialog,
}))

interface Question {
  readonly purpose: StepUpPurpose
  readonly complete: (proof: string | null) => void
}

/** Renders nothing until a call requires the reader to confirm their identity. */
export function StepUp() {
  const [question, setQuestion] = useState<Question | undefined>()
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
