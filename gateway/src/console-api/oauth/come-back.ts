import type { RouteResult, RouteEnvelopeFields, RouteInput, externalSignInRoutes } from '@tollgate/contract'

import type { FlowPayload } from '../../accounts/flows/flow-kinds'
import { takeFlow } from '../../accounts/flows/take-flow'
import { AppError } from '../../platform/app-error'
import type { Call, Caller } from '../../http/handler'
import { flowHashOf, sessionHashOf } from '../../accounts/sessions/session-cookie'
import { bindIdentity } from './bind-identity'
import { letIn } from './sign-up'
import { providerError } from './provider-fetch'
import type { RedirectSignIn } from './redirect-sign-in'

type Callback = typeof externalSignInRoutes.githubCallback
type State = FlowPayload<'external-sign-in'>

/**
 * Handles the return from a provider. The state is used up before the provider is called, so of concurrent callbacks one proceeds.
 * @throws AppError `oauth.off`, `oauth.state`, `oauth.denied`, `oauth.refused`, and what letting in and binding throw.
 */
export async function comeBack(
  signIn: RedirectSignIn,
  { code, state: secret = '', error, iss }: RouteInput<Callback>['query'],
  call: Call<'optional'>,
): Promise<{ data: RouteResult<Callback>; envelopeFields: RouteEnvelopeFields<Callback> }> {
  const { ctx, request } = call
  const { provider } = signIn
  if (!signIn.isOn(ctx.catalog.current.options)) throw providerError(ctx, 'oauth.off', provider)
  const presented = { subject: '', browser: flowHashOf(request), secret }
  const state = await takeFlow(ctx, 'external-sign-in', presented, (taken) => {
    if (!isFor(signIn, taken)) throw new AppError('oauth.state')
    return Promise.resolve(taken)
  })
  if (error !== undefined)
    throw providerError(ctx, error === 'access_denied' ? 'oauth.denied' : 'oauth.refused', provider)
  if (!code) throw providerError(ctx, 'oauth.refused', provider)
  const binder = binderOf(state, call)
  const account = await signIn.accountOf(ctx, { code, state: secret, iss, issuer: state.issuer })
  if (binder) {
    await bindIdentity(account, { ...call, caller: binder })
    return { data: null, envelopeFields: { action: 'bind', message: 'bind', return_to: state.returnTo } }
  }
  const data = await letIn(account, state.invitation, call, state.returnTo)
  return { data, envelopeFields: { action: 'login', message: '', return_to: state.returnTo } }
}

const isFor = ({ provider, isOpenToAnyClient }: RedirectSignIn, state: State): boolean =>
  state.provider === null ? isOpenToAnyClient : state.provider === provider

/**
 * Returns the caller to link the account to, who must be in the session that began it; null for a sign-in.
 * @throws AppError `oauth.state`.
 */
function binderOf({ bindTo }: State, { caller, request }: Call<'optional'>): Caller | null {
  if (!bindTo) return null
  const isSame = caller?.userId === bindTo.userId && (sessionHashOf(request) ?? '') === bindTo.session
  if (!caller || !isSame) throw new AppError('oauth.state')
  return caller
}
