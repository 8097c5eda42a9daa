import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

/** A real OpenID provider that signs every visitor in as the given person and grants consent. */
export interface RealProvider extends AsyncDisposable {
  readonly wellKnown: string
  readonly clientId: string
  readonly clientSecret: string
  /** Follows the authorize URL through all redirects. Resolves with the query of the last one. */
  visit(authorizeUrl: string): Promise<Record<string, string>>
}

export async function aRealProvider(person: { readonly sub: string } & Record<string, unknown>, redirectUri: string) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientId = 'gate'
  const clientSecret = 'a secret: with % and +'
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => person }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/agree/${uid}` },
  })
  const reply = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/agree/')) return reply(request, response)
    void agree().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    async function agree() {
      const { prompt, params } = await provider.interactionDetails(request, response)
      if (prompt.name === 'login') {
        return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
      }
      const grant = new provider.Grant({ accountId: person.sub, clientId })
      grant.addOIDCScope(String(params['scope']))
      const consent = { grantId: await grant.save() }
      return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
    }
  })
  return {
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    async visit(authorizeUrl) {
      const cookies = new Map<string, string>()
      let address = authorizeUrl
      while (!address.startsWith(redirectUri)) {
        const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
        const response = await fetch(address, { redirect: 'manual', headers })
        for (const cookie of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
          cookies.set(name, value)
        }
        const next = response.headers.get('location')
        if (next === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
        address = new URL(next, address).href
      }
      return Object.fromEntries(new URL(address).searchParams)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  } satisfies RealProvider
}
