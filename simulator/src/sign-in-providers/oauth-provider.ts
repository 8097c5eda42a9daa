import { createHash } from 'node:crypto'

/** A request as the provider received it. */
interface ProviderCall {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** A user of the provider. */
export interface ProviderUser {
  readonly id: number
  /** The user name, which can change and be reused. */
  readonly login: string
  readonly [member: string]: unknown
}

/** What is particular to a provider. */
interface ProviderShape {
  readonly authorizePath: string
  readonly tokenPath: string
  /** API resources by path. */
  readonly pages: Readonly<Record<string, (user: ProviderUser) => unknown>>
  /** Returns the client's credentials as this provider expects them; null if they were sent another way. */
  clientOf(call: ProviderCall, form: URLSearchParams): { readonly id: string; readonly secret: string } | null
  /** Returns the error of an invalid token request, or null. */
  faultOf(call: ProviderCall, form: URLSearchParams): string | null
  /** Whether errors have status 200, as at GitHub. */
  readonly failsWith200: boolean
  /** A header that API requests need besides the access token. */
  readonly pageHeader?: readonly [name: string, pattern: RegExp]
}

/** A stand-in for an OAuth provider. */
export interface OAuthProvider {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** The registered callback URL. */
  callbackUrl: string
  /** The user who approves the next authorization; null denies it. */
  user: ProviderUser | null
  /** Issues a code for the user. */
  codeFor(user: ProviderUser, requested?: { readonly redirectUri?: string }): string
  readonly calls: readonly ProviderCall[]
  /** While true, every request fails. */
  isDown: boolean
  stop(): Promise<void>
}

interface Grant {
  readonly user: ProviderUser
  readonly redirectUri: string | undefined
}

/** Starts one on loopback. It rejects what the real one rejects. */
export function startOAuthProvider(shape: ProviderShape): OAuthProvider {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, ProviderUser>()
  const calls: ProviderCall[] = []

  const authorize = (requested: URLSearchParams): Response => {
    const redirectUri = requested.get('redirect_uri') ?? undefined
    if (requested.get('client_id') !== provider.clientId) return new Response('unknown client', { status: 404 })
    if (redirectUri !== undefined && redirectUri !== provider.callbackUrl) {
      return new Response('redirect_uri is not registered', { status: 400 })
    }
    const back = new URL(provider.callbackUrl)
    back.searchParams.set('state', requested.get('state') ?? '')
    if (provider.user) back.searchParams.set('code', provider.codeFor(provider.user, { redirectUri }))
    else back.searchParams.set('error', 'access_denied')
    return Response.redirect(back.href)
  }

  const fault = (error: string): Response => Response.json({ error }, { status: shape.failsWith200 ? 200 : 400 })

  const exchange = (call: ProviderCall): Response => {
    const form = formOf(call)
    const client = shape.clientOf(call, form)
    const other = shape.faultOf(call, form)
    if (other !== null) return fault(other)
    if (client?.id !== provider.clientId || client.secret !== provider.clientSecret) {
      return fault('incorrect_client_credentials')
    }
    const grant = codes.get(form.get('code') ?? '')
    if (!grant || (grant.redirectUri !== undefined && grant.redirectUri !== form.get('redirect_uri'))) {
      return fault('bad_verification_code')
    }
    codes.delete(form.get('code') ?? '')
    const token = `token-${crypto.randomUUID()}`
    tokens.set(token, grant.user)
    return Response.json({ access_token: token, token_type: 'bearer', scope: 'user:email' })
  }

  const page = (call: ProviderCall): Response => {
    const [name, pattern] = shape.pageHeader ?? ['authorization', /./]
    if (!pattern.test(call.headers.get(name) ?? '')) return new Response('forbidden', { status: 403 })
    const user = tokens.get(/^bearer (.+)$/i.exec(call.headers.get('authorization') ?? '')?.[1] ?? '')
    const build = shape.pages[call.path]
    return user && build ? Response.json(build(user)) : Response.json({ message: 'Bad credentials' }, { status: 401 })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const call = { method: request.method, path: pathname, headers: request.headers, body: await request.text() }
      calls.push(call)
      if (provider.isDown) return new Response('<html>down</html>', { status: 502 })
      if (call.method === 'GET' && pathname === shape.authorizePath) return authorize(searchParams)
      if (call.method === 'POST' && pathname === shape.tokenPath) return exchange(call)
      if (call.method === 'GET' && pathname in shape.pages) return page(call)
      return new Response('not found', { status: 404 })
    },
  })
  const provider: OAuthProvider = {
    url: `http://127.0.0.1:${server.port}`,
    clientId: 'stand-in-client',
    clientSecret: 'stand-in-secret',
    callbackUrl: 'http://localhost:3000/',
    user: null,
    codeFor(user, { redirectUri } = {}) {
      const code = createHash('sha256').update(crypto.randomUUID()).digest('hex').slice(0, 20)
      codes.set(code, { user, redirectUri })
      return code
    },
    calls,
    isDown: false,
    stop: () => server.stop(true),
  }
  return provider
}

/** Returns the fields of a JSON or form body. */
function formOf({ headers, body }: ProviderCall): URLSearchParams {
  if (!headers.get('content-type')?.includes('json')) return new URLSearchParams(body)
  return new URLSearchParams(JSON.parse(body) as Record<string, string>)
}
