import type { z } from 'zod'
import type { ErrorCode } from '@tollgate/contract'

import type { IdentityProvider } from '../../accounts/identities/identities'
import type { Context } from '../../context'
import { readBounded } from '@tollgate/http-client'
import { providerName } from '../../accounts/identities/sign-in-providers'
import { AppError, type AppErrorDetails } from '../../platform/app-error'

const timeoutMs = 10_000
const maxResponseBytes = 1024 * 1024

type Deps = Pick<Context, 'fetch' | 'log' | 'catalog'>
type Sent = Pick<RequestInit, 'method' | 'headers' | 'body'>

/**
 * Returns a `fetch` for calls to a provider, bounded in time and response size. Redirects are not followed, as they would carry secrets to
 * another host.
 * @throws AppError `oauth.unreachable`.
 */
export const providerFetch =
  (parts: Deps, provider: IdentityProvider) =>
  async (url: string, { method, headers, body }: Sent = {}): Promise<Response> => {
    const { fetch: send, log } = parts
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await send(url, { method, headers, body, redirect: 'manual', signal })
      if (response.status >= 500) throw new Error(`HTTP ${response.status}`)
      return new Response(await readBounded(response, maxResponseBytes), {
        status: response.status,
        headers: response.headers,
      })
    } catch (error) {
      log.warn({ err: error, provider }, 'a sign-in provider could not be reached')
      throw providerError(parts, 'oauth.unreachable', provider, { cause: error })
    }
  }

/** Resolves with the parsed JSON of a successful response, or null if it failed or has another shape. */
export async function readJsonResponse<Schema extends z.ZodType>(
  response: Response,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const body: unknown = await response.json().catch(() => null)
  return response.ok ? (schema.safeParse(body).data ?? null) : null
}

/** Returns an error whose message names the provider. */
export const providerError = (
  { catalog }: Pick<Context, 'catalog'>,
  code: ErrorCode,
  provider: IdentityProvider,
  details: AppErrorDetails = {},
): AppError => new AppError(code, { ...details, params: { provider: providerName(provider, catalog.current.options) } })
