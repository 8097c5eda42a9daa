import { useState } from 'react'

import { toApiError } from './api'
import { notifyError } from '../browser/notify'
import { saveLink } from '../browser/save-file'

/** Downloads a file of any size to disk, from an address with a one-time ticket. */
export function useTicketDownload(
  createTicket: () => Promise<{ readonly ticket: string }>,
  addressFor: (query: { readonly ticket: string }) => string,
) {
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      saveLink(addressFor(await createTicket()))
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start: () => void start() }
}
