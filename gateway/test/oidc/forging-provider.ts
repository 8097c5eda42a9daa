import { createHash } from 'node:crypto'

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { systemClock } from '../../src/platform/time/clock'

/** What the provider gets wrong on purpose. */
export interface Forgery {
  /** Members that override those of the discovery document. */
  discovered?: Record<string, unknown>
  /** Claims that override those of the ID token; null removes one. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** Builds the whole ID token, for example an unsigned one. */
  token?: (claims: Record<string, unknown>) => string
  /** Signs with an unpublished key. */
  usesForeignKey?: boolean
  userInfo?: Record<string, unknown>
}

/** An OpenID provider that validates requests and forges responses on demand. */
export interface ForgingProvider extends AsyncDisposable {
  readonly url: string
  readonly wellKnown: string
  readonly clientId: string
  readonly clientSecret: string
  /** Approves an authorize URL. Returns the query of the redirect back. */
  authorize(address: string, subject: string): Record<string, string>
  forge: Forgery
  /** Replaces the signing key and stops publishing the previous one. */
  rotateKey(): Promise<void>
  /** Paths of all requests. */
  readonly parameters: string[]
}

interface Grant {
  readonly subject: string
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

const aKey = async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = crypto.randomUUID()
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return { kid, jwk, privateKey }
}

/** Starts one on loopback. */
export async function aForgingProvider(): Promise<ForgingProvider> {
  let key = await aKey()
  const foreignKey = await aKey()
  const codes = new Map<string, Grant>()
  const subjects = new Map<string, string>()
  const clientId = 'client'
  const clientSecret = 'a secret: with % and +'

  const signClaims = async (claims: Record<string, unknown>, signer: { kid: string; privateKey: CryptoKey }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...provider.forge.header })
      .sign(signer.privateKey)

  async function exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const basic = Buffer.from((request.headers.get('authorization') ?? '').replace('Basic ', ''), 'base64').toString()
    const [id = '', secret = ''] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (id !== clientId || secret !== clientSecret) return Response.json({ error: 'invalid_client' }, { status: 401 })
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    const now = systemClock.seconds()
    const claims: Record<string, unknown> = {
      iss: provider.url,
      sub: grant.subject,
      aud: clientId,
      iat: now,
      exp: now + 600,
      nonce: grant.nonce,
      ...provider.forge.claims,
    }
    for (const [name, value] of Object.entries(claims)) if (value === null) delete claims[name]
    const token =
      provider.forge.token?.(claims) ?? (await signClaims(claims, provider.forge.usesForeignKey ? foreignKey : key))
    const accessToken = crypto.randomUUID()
    subjects.set(accessToken, grant.subject)
    return Response.json({ access_token: accessToken, token_type: 'Bearer', expires_in: 600, id_token: token })
  }

  const pages: Record<string, (request: Request) => Response | Promise<Response>> = {
    '/.well-known/openid-configuration': () =>
      Response.json({
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        token_endpoint: `${provider.url}/token`,
        userinfo_endpoint: `${provider.url}/me`,
        jwks_uri: `${provider.url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
        ...provider.forge.discovered,
      }),
    '/keys': () => Response.json({ keys: [key.jwk] }),
    '/token': exchange,
    '/other-token': exchange,
    '/me': ({ headers }) => me(headers),
    '/other-me': ({ headers }) => me(headers),
  }

  function me(headers: Headers): Response {
    const subject = subjects.get((headers.get('authorization') ?? '').replace('Bearer ', ''))
    if (subject === undefined) return new Response('unauthorized', { status: 401 })
    return Response.json({ sub: subject, ...provider.forge.userInfo })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      provider.parameters.push(pathname)
      return pages[pathname]?.(request) ?? new Response('not found', { status: 404 })
    },
  })
  const provider: ForgingProvider = {
    url: `http://127.0.0.1:${server.port}`,
    wellKnown: `http://127.0.0.1:${server.port}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    authorize(address, subject) {
      const parameters = Object.fromEntries(new URL(address).searchParams)
      const code = crypto.randomUUID()
      const { nonce = '', code_challenge: challenge = '', redirect_uri: redirectUri = '', state = '' } = parameters
      codes.set(code, { subject, nonce, challenge, redirectUri })
      return { code, state }
    },
    forge: {},
    async rotateKey() {
      key = await aKey()
    },
    parameters: [],
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return provider
}
