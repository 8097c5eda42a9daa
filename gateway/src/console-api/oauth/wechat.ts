import { z } from 'zod'

import { spendForeignSecret } from '../../accounts/flows/take-flow'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { ExternalAccount } from './external-account'
import { providerError, providerFetch, readJsonResponse } from './provider-fetch'

const provider = 'wechat'

/** As long as the ids of other providers, and a text that both databases take. */
const maxSubjectLength = 255

const BridgeResponse = z.object({
  success: z.boolean(),
  message: z.string().optional(),
  data: z
    .string()
    .max(maxSubjectLength)
    .regex(/^\P{Cc}*$/u)
    .optional(),
})

/**
 * Resolves with the WeChat account that a code was issued to. The bridge server accepts a code for three minutes, however often; here it
 * works once.
 * @throws AppError `oauth.off`, `oauth.unreachable`, `oauth.unusable`, `code.wrong`.
 */
export async function wechatAccount(ctx: Context, code: string): Promise<ExternalAccount> {
  const { WeChatAuthEnabled, WeChatServerAddress, WeChatServerToken } = ctx.catalog.current.options
  if (!WeChatAuthEnabled || WeChatServerAddress === '') throw providerError(ctx, 'oauth.off', provider)
  const address = `${WeChatServerAddress}/api/wechat/user?${new URLSearchParams({ code }).toString()}`
  const response = await providerFetch(ctx, provider)(address, { headers: { Authorization: WeChatServerToken } })
  const bridgeResponse = await readJsonResponse(response, BridgeResponse)
  if (!bridgeResponse) throw providerError(ctx, 'oauth.unreachable', provider)
  const subject = bridgeResponse.data?.trim() ?? ''
  if (!bridgeResponse.success || subject === '') {
    ctx.log.warn({ status: response.status, message: bridgeResponse.message }, 'the WeChat server refused a code')
    // The bridge names the token where it is not the visitor's code that is wrong.
    if (/token/i.test(bridgeResponse.message ?? '')) throw providerError(ctx, 'oauth.unusable', provider)
    throw new AppError('code.wrong')
  }
  await spendForeignSecret(ctx, 'wechat-code', { subject, secret: code })
  return { provider, subject, profile: () => Promise.resolve({}) }
}
