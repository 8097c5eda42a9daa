import { ApiError, externalSignInRoutes, type RedirectProvider } from '@tollgate/contract'
import { useState } from 'react'

import { callWhole, toApiError } from '../../lib/api/api'
import { storedInvitation } from '../../lib/url/invitation'
import { notifyError } from '../../lib/browser/notify'
import { webAddress } from '../../lib/url/web-address'

interface Leaving {
  /** The provider that the browser is redirected to. */
  readonly leavingFor: RedirectProvider | undefined
  readonly leaveFor: (provider: RedirectProvider) => void
}

/** Redirects the browser to a provider: to sign in, or, when signed in, to link the account there. */
export function useProvider(returnTo: string | undefined): Leaving {
  const [leavingFor, setLeavingFor] = useState<RedirectProvider | undefined>()
  const leave = async (provider: RedirectProvider) => {
    setLeavingFor(provider)
    try {
      const aff = storedInvitation.get()
      const query = { provider, ...(aff !== '' && { aff }), ...(returnTo !== undefined && { return_to: returnTo }) }
      const { envelopeFields } = await callWhole(externalSignInRoutes.beginExternalSignIn, { query })
      const target = webAddress(envelopeFields.authorize_url ?? '')
      if (target === undefined) throw new TypeError(`${provider} has no address`)
      location.assign(target)
    } catch (error) {
      setLeavingFor(undefined)
      notifyError(error instanceof ApiError ? error : toApiError(error))
    }
  }
  return { leavingFor, leaveFor: (provider) => void leave(provider) }
}
