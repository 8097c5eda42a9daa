import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { ErrorText } from '../api/error-text'
import { translate } from '../text/i18n'

const shownMs = 4_000
/** Long enough to read a sentence and copy the request id. */
const errorShownMs = 10_000

interface Toast {
  title?: string
  message: ReactNode
  color: 'green' | 'yellow' | 'red'
  /** Milliseconds. */
  autoClose: number
}

type Show = (toast: Toast) => void

/** Shows a toast; undefined until the first one loads the toast area. */
let show: Show | undefined
let onRequested: () => void = () => {}
const waiting: Toast[] = []

/** Registers how the toast area is loaded. */
export function onFirstToast(call: () => void): void {
  onRequested = call
}

/** Sets the toast area, or with undefined removes it: toasts then wait for the next one. */
export function setToastArea(area: Show | undefined): void {
  show = area
  if (area) for (const toast of waiting.splice(0)) area(toast)
}

function notify(toast: Toast): void {
  if (show) show(toast)
  else {
    waiting.push(toast)
    onRequested()
  }
}

/** With something to click in it, it stays as long as an error does. */
export const notifySuccess = (message: ReactNode): void =>
  notify({ message, color: 'green', autoClose: typeof message === 'string' ? shownMs : errorShownMs })

export const notifyWarning = (message: string): void => notify({ message, color: 'yellow', autoClose: errorShownMs })

export const notifyError = (error: ApiError): void =>
  notify({
    message: <ErrorText error={error} prefix={translate('error.prefix')} />,
    color: 'red',
    autoClose: errorShownMs,
  })
