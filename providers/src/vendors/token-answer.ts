import { parsedObject } from '@tollgate/dialects'

import type { AuthTools } from '../provider'

interface TokenAnswer {
  readonly text: string
  readonly seconds: number
}

interface TokenService {
  /** As it stands in error messages. */
  readonly name: string
  readonly url: string
  readonly form?: URLSearchParams
  /** How long a token lasts when the answer does not say. */
  readonly usualSeconds: number
}

/**
 * Asks an OAuth token service for a token.
 * @throws TypeError when it refuses the account; Error when it fails.
 */
export async function requestToken(
  { name, url, form, usualSeconds }: TokenService,
  tools: AuthTools,
): Promise<TokenAnswer> {
  const { status, answer } = await postForm(tools, url, form)
  const { access_token: text, expires_in: seconds } = answer
  if (status === 200 && typeof text === 'string' && text !== '')
    return { text, seconds: typeof seconds === 'number' ? seconds : usualSeconds }
  const reason = [answer['error_description'], answer['error']].find((value) => typeof value === 'string')
  const message = `${name} gave no token (status ${status})${reason === undefined ? '' : `: ${reason.slice(0, 500)}`}`
  if (status === 400 || status === 401 || (status === 200 && reason !== undefined)) throw new TypeError(message)
  throw new Error(message)
}

async function postForm({ fetch }: AuthTools, url: string, form: URLSearchParams = new URLSearchParams()) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  try {
    const response = await fetch(url, { method: 'POST', headers, body: form.toString() })
    return { status: response.status, answer: parsedObject(await response.text()) ?? {} }
  } catch (cause) {
    // A broken connection is a TypeError too, and says nothing of the key.
    throw new Error(cause instanceof Error ? cause.message : 'The connection failed', { cause })
  }
}
