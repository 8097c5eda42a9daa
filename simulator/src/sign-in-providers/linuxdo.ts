import { startOAuthProvider, type OAuthProvider } from './oauth-provider'

/** Starts a stand-in for Linux DO's Connect. */
export const startLinuxDo = (): OAuthProvider =>
  startOAuthProvider({
    authorizePath: '/oauth2/authorize',
    tokenPath: '/oauth2/token',
    failsWith200: false,
    clientOf({ headers }) {
      const [scheme, credentials = ''] = (headers.get('authorization') ?? '').split(' ')
      const [id = '', secret = ''] = Buffer.from(credentials, 'base64').toString().split(':')
      return scheme === 'Basic' ? { id, secret } : null
    },
    faultOf: (_, form) => {
      if (form.get('grant_type') !== 'authorization_code') return 'unsupported_grant_type'
      return form.get('redirect_uri') ? null : 'invalid_request'
    },
    pages: {
      '/api/user': ({ id, login, name = '', trust_level = 2, active = true, silenced = false }) => ({
        id,
        username: login,
        name,
        active,
        trust_level,
        silenced,
      }),
    },
  })
