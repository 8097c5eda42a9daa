import { ApiError, paymentRoutes } from '@tollgate/contract'
import { useEffect, useState } from 'react'

import { callWhole, toApiError } from '../../lib/api/api'
import { useTranslation } from '../../lib/text/i18n'
import { notifyError } from '../../lib/browser/notify'
import { useRefresh } from '../../lib/api/query'
import { webAddress } from '../../lib/url/web-address'

/** The payment page, and the fields of the form posted to it. */
interface PaymentPage {
  readonly data: Readonly<Record<string, string>>
  readonly envelopeFields: { readonly url: string }
}

/** Starts and resumes payments. The browser leaves the page once the server has returned the payment page. */
export function usePay() {
  const { t } = useTranslation('order')
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
      const { data, envelopeFields } = await begin()
      leaveFor(envelopeFields.url, data)
    } catch (error) {
      setLeaving(false)
      notifyError(withSentence(error, t('payFailed')))
      void refresh(paymentRoutes.listOwnOrders)
    }
  }
  return {
    isLeaving,
    /** Pays for a top-up or a plan. */
    pay: (what: { readonly amount: number } | { readonly plan_id: number }, method: string) =>
      void leave(() => callWhole(paymentRoutes.pay, { body: { ...what, payment_method: method, top_up_code: '' } })),
    resume: (number: string) =>
      void leave(() => callWhole(paymentRoutes.continueOrder, { body: { trade_no: number } })),
  }
}

/** Returns the failure; without a server response, with this sentence. */
export function withSentence(error: unknown, sentence: string): ApiError {
  const known = toApiError(error)
  return known.status === 0 ? new ApiError(sentence, 0, known.code, known.requestId) : known
}

/**
 * Redirects the browser to a payment page: with fields by a posted form, without fields by its address.
 * @throws Error for an address that a browser must not open.
 */
function leaveFor(url: string, fields: Readonly<Record<string, string>>): void {
  const address = webAddress(url)
  if (address === undefined) throw new Error('the payment page has no web address')
  const entries = Object.entries(fields)
  if (entries.length === 0) {
    location.assign(address)
    return
  }
  const form = document.createElement('form')
  form.method = 'post'
  form.action = address
  form.acceptCharset = 'utf-8'
  form.hidden = true
  for (const [name, value] of entries) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // A field named `submit` would shadow the method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
