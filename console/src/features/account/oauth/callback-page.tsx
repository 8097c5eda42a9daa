import { getRouteApi } from '@tanstack/react-router'
import { externalSignInRoutes } from '@tollgate/contract'

import { callWhole } from '../../../lib/api/api'
import { Arriving, useArrival } from './arrival'

const route = getRouteApi('/oauth/$provider')

const calls = {
  github: externalSignInRoutes.githubCallback,
  oidc: externalSignInRoutes.oidcCallback,
  linuxdo: externalSignInRoutes.linuxdoCallback,
} as const

/** The redirect target of providers. */
export function CallbackPage() {
  const { provider } = route.useParams()
  const query = route.useSearch()
  useArrival(async () => {
    const { data, envelopeFields } = await callWhole(calls[provider], { query })
    return { user: data, returnTo: envelopeFields.return_to }
  })
  return <Arriving />
}
