import { useState } from 'react'
import type { FileRoute, RouteSent } from '@tollgate/contract'

import { download, toApiError } from './api'
import { notifyError } from '../browser/notify'

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

/** Saves a file from the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  saveLink(url, name)
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Returns the file name in a response. */
export const savedName = (response: Response, otherwise: string): string =>
  /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise

/** Downloads an address of this site, under the name in the response unless one is given. */
function saveLink(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
