import {
  userIdHeader,
  userIdHeaderAliases,
  type RouteResult,
  type RouteEnvelopeFields,
  type RouteInput,
  type externalSignInRoutes,
} from '@tollgate/contract'

import { createFlow } from '../../accounts/flows/create-flow'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import type { Call, Caller } from '../../http/handler'
import { requireProof } from '../../http/sign-in/require-step-up'
import { sessionHashOf } from '../../accounts/sessions/session-cookie'
import { providerError } from './provider-fetch'
import { redirectSignIns } from './providers'

type Begin = typeof externalSignInRoutes.beginExternalSignIn

/**
 * Creates the state for a sign-in through a provider.
 * @throws AppError `oauth.off`, `oauth.address`, `oauth.unreachable`, `oauth.discovery`, `demo.read_only`, `auth.step_up`,
 * `auth.sign_in_again`.
 */
export async function begin(
  { provider, aff, return_to: returnTo }: RouteInput<Begin>['query'],
  call: Call<'optional'>,
): Promise<{ data: RouteResult<Begin>; envelopeFields: RouteEnvelopeFields<Begin> }> {
  const { ctx } = call
  const { options } = ctx.catalog.current
  const signIn = provider && redirectSignIns[provider]
  if (signIn && !signIn.isOn(options)) throw providerError(ctx, 'oauth.off', signIn.provider)
  const bindTo = await bindingOf(call)
  const prepared = await signIn?.prepare(ctx)
  const state = await createFlow(ctx, 'external-sign-in', {
    subject: '',
    browser: flowBrowser(call),
    payload: {
      provider: provider ?? null,
      issuer: prepared?.issuer ?? '',
      bindTo,
      invitation: aff ?? '',
      returnTo: returnTo ?? null,
    },
  })
  return { data: state, envelopeFields: { authorize_url: prepared?.authorizeUrl(state) ?? null } }
}

/** Returns the account to link to, or null for a sign-in. The user id header tells a signed-in page from a leftover cookie. */
async function bindingOf(call: Call<'optional'>): Promise<{ userId: number; session: string } | null> {
  const { ctx, caller, request } = call
  if (!caller || !isOwnPage(request, caller)) return null
  if (ctx.catalog.current.options.DemoSiteEnabled) throw new AppError('demo.read_only')
  await requireProof({ ...call, caller }, 'identity')
  return { userId: caller.userId, session: sessionHashOf(request) ?? '' }
}

const isOwnPage = ({ headers }: Request, { userId, isByAccessToken }: Caller): boolean =>
  isByAccessToken || [userIdHeader, ...userIdHeaderAliases].some((name) => headers.get(name) === String(userId))
