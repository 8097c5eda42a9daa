import { paymentRoutes } from '@tollgate/contract'
import { useEffect, useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { notifyError } from '../../../lib/browser/notify'
import { useRead } from '../../../lib/api/query'
import { withSentence } from './use-pay'

const typingMs = 300

/** Requests the price of an amount, debounced; `payable` is undefined until it is known. Failures are shown. */
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
