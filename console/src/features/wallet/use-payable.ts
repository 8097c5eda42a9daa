import { paymentRoutes } from '@tollgate/contract'
import { useEffect, useState } from 'react'

import { useTranslation } from '../../lib/i18n'
import { notifyError } from '../../lib/notify'
import { useRead } from '../../lib/query'
import { withSentence } from './use-pay'

const typingMs = 300

/** Asks after a pause in typing what an amount costs; `payable` is undefined while it is not known. Failures are told. */
export function usePayable(amount: number | undefined, method: string) {
  const { t } = useTranslation('wallet')
  const [asked, setAsked] = useState(amount)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(amount), typingMs)
    return () => clearTimeout(timer)
  }, [amount])
  const { data, error, isPlaceholderData, isFetching, refetch } = useRead(
    paymentRoutes.payableAmount,
    { body: { amount: asked ?? 0, payment_method: method, top_up_code: '' } },
    { enabled: asked !== undefined },
  )
  useEffect(() => {
    if (error) notifyError(withSentence(error, t('requestFailed')))
  }, [error, t])
  const isCurrent = amount !== undefined && asked === amount && !isPlaceholderData
  return {
    payable: isCurrent && !error ? data : undefined,
    error: isCurrent && !isFetching ? error : null,
    askAgain: () => void refetch(),
  }
}
