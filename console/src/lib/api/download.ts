import { useState } from 'react'
import type { FileRoute, RouteSent } from '@tollgate/contract'

import { download, toApiError } from './api'
import { notifyError } from '../browser/notify'
import { saveFile, savedName, saveLink } from '../browser/save-file'

/** Downloads a route's whole file; `otherwise` names it where the response does not. */
export function useDownload<R extends FileRoute>(route: R, sent: RouteSent<R>, otherwise: string) {
  const [isBusy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      const response = await download(route, sent)
      saveFile(await response.blob(), savedName(response, otherwise))
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start: () => void start() }
}

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
