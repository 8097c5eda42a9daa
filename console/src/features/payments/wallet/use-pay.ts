import { ApiError, paymentRoutes } from '@tollgate/contract'
import { useEffect, useState } from 'react'

import { callWhole, understood } from '../../../lib/api/api'
import { useTranslation } from '../../../lib/text/i18n'
import { notifyError } from '../../../lib/browser/notify'
import { useRefresh } from '../../../lib/api/query'
import { leaveFor } from './leave-for'

/** The payment page, and the fields of the form posted to it. */
interface PaymentPage {
  readonly data: Readonly<Record<string, string>>
  readonly beside: { readonly url: string }
}

/** Starts and resumes payments. The browser leaves the page once the server has returned the payment page. */
export function usePay() {
  const { t } = useTranslation('wallet')
  const refresh = useRefresh()
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    // Coming back, the browser restores this page from its cache as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeaving(false)
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  const leave = async (begin: () => Promise<PaymentPage>) => {
    setLeaving(true)
    try {
      const { data, beside } = await begin()
      leaveFor(beside.url, data)
    } catch (error) {
      setLeaving(false)
      notifyError(withSentence(error, t('topUp.failed')))
      void refresh(paymentRoutes.listOwnOrders)
    }
  }
  return {
    isLeaving,
    pay: (amount: number, method: string) =>
      void leave(() => callWhole(paymentRoutes.pay, { body: { amount, payment_method: method, top_up_code: '' } })),
    resume: (number: string) =>
      void leave(() => callWhole(paymentRoutes.continueOrder, { body: { trade_no: number } })),
  }
}

/** Returns the failure; without a server response, with this sentence. */
export function withSentence(error: unknown, sentence: string): ApiError {
  const known = understood(error)
  return known.status === 0 ? new ApiError(sentence, 0, known.code, known.requestId) : known
}
