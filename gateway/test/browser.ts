import { z } from 'zod'

import type { SignedIn, TestConsole } from './console-client'

const Envelope = z.looseObject({ success: z.boolean(), message: z.string(), code: z.string().optional() })

/** The outcome of a call: `ok`, or the code of the refusal. */
interface CallResponse {
  readonly outcome: string
  readonly status: number
  /** All of it, as it arrived. */
  readonly text: string
}

/** A user's browser: it keeps its cookies. Prefers English. */
export interface Browser {
  call(method: string, path: string, sent?: { body?: unknown; headers?: Record<string, string> }): Promise<CallResponse>
}

interface BrowserOptions {
  readonly as?: SignedIn | undefined
  readonly address?: string
  /** Its cookies, for another one to take over. */
  readonly cookies?: Map<string, string>
}

/** `address`: of its network; default: a new one for each call, so that limits by address do not interfere. */
export function aBrowser(site: TestConsole, { as, address, cookies = new Map() }: BrowserOptions = {}): Browser {
  const keep = (cookie: string) => {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  if (as) keep(as.cookie)
  return {
    async call(method, path, { body, headers } = {}) {
      const sent = {
        'Accept-Language': 'en',
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(as && { 'Tollgate-User': String(as.userId) }),
        ...headers,
      }
      const response = await site.send(method, path, { body, headers: sent, address })
      response.headers.getSetCookie().forEach(keep)
      const text = await response.text()
      const { success, code = '' } = Envelope.parse(JSON.parse(text))
      return { outcome: success ? 'ok' : code, status: response.status, text }
    },
  }
}
