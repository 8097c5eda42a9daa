import { externalSignInRoutes } from '@tollgate/contract'

import { handler, type Call, type Handler } from '../../http/handler'
import { begin } from './begin'
import { bindIdentity } from './bind-identity'
import { comeBack } from './come-back'
import type { ExternalAccount } from './external-account'
import { letIn } from './sign-up'
import { discover } from './oidc-configuration'
import { redirectSignIns } from './providers'
import { telegramAccount } from './telegram'
import { wechatAccount } from './wechat'
import { releaseIdentity, type IdentityProvider } from '../../accounts/identities/identities'
import { requireOtherSignInMethod } from '../../http/sign-in/require-other-sign-in-method'
import { notifyOfIdentityChange } from '../../http/notify-of-account-change'
import { providerError } from './provider-fetch'

const { github, oidc, linuxdo } = redirectSignIns

async function bind(account: Promise<ExternalAccount>, call: Call<'user'>): Promise<undefined> {
  await bindIdentity(await account, call)
}

export const oauthHandlers: readonly Handler[] = [
  handler(externalSignInRoutes.beginExternalSignIn, ({ query }, call) => begin(query, call)),
  handler(externalSignInRoutes.githubCallback, ({ query }, call) => comeBack(github, query, call)),
  handler(externalSignInRoutes.oidcCallback, ({ query }, call) => comeBack(oidc, query, call)),
  handler(externalSignInRoutes.linuxdoCallback, ({ query }, call) => comeBack(linuxdo, query, call)),
  handler(externalSignInRoutes.unbindIdentity, ({ params }, call) => unbindIdentity(params.provider, call)),
  handler(externalSignInRoutes.discoverOidc, async ({ query }, { ctx }) => {
    const metadata = (await discover(ctx, query.well_known)).serverMetadata()
    return {
      issuer: metadata.issuer,
      authorization_endpoint: metadata.authorization_endpoint ?? '',
      token_endpoint: metadata.token_endpoint ?? '',
      userinfo_endpoint: metadata.userinfo_endpoint ?? '',
    }
  }),
  handler(externalSignInRoutes.signInByWeChat, async ({ query: { code, aff = '' } }, call) =>
    letIn(await wechatAccount(call.ctx, code), aff, call),
  ),
  handler(externalSignInRoutes.bindWeChat, ({ body }, call) => bind(wechatAccount(call.ctx, body.code), call)),
  handler(externalSignInRoutes.bindWeChatByLink, ({ query }, call) => bind(wechatAccount(call.ctx, query.code), call)),
  handler(externalSignInRoutes.signInByTelegram, async ({ query: { aff = '', ...assertion } }, call) =>
    letIn(await telegramAccount(call.ctx, assertion), aff, call),
  ),
  handler(externalSignInRoutes.bindTelegram, ({ body }, call) => bind(telegramAccount(call.ctx, body), call)),
  handler(externalSignInRoutes.bindTelegramByLink, ({ query }, call) => bind(telegramAccount(call.ctx, query), call)),
]

/**
 * Unlinks the caller's account at a provider, which may then be linked to anyone. The caller is told by mail.
 * @throws AppError `oauth.not_bound`, `oauth.last`.
 */
async function unbindIdentity(provider: IdentityProvider, call: Call<'user'>): Promise<undefined> {
  const { ctx, audit, caller } = call
  const { userId, username } = caller
  audit.target('user', userId, username)
  const subject = await ctx.database.query.transaction().execute(async (transaction) => {
    const released = await releaseIdentity(provider, userId, transaction)
    if (released === null) throw providerError(ctx, 'oauth.not_bound', provider)
    await requireOtherSignInMethod(ctx, userId, transaction)
    await notifyOfIdentityChange('identity-unlinked', provider, call, transaction)
    return released
  })
  await ctx.changes.deliver()
  audit.recordChange({ [provider]: subject }, {})
}
