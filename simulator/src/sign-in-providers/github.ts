import { startOAuthProvider, type OAuthProvider } from './oauth-provider'

/**
 * Starts a stand-in for GitHub, with site and API at one address.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export const startGitHub = (): OAuthProvider =>
  startOAuthProvider({
    authorizePath: '/login/oauth/authorize',
    tokenPath: '/login/oauth/access_token',
    failsWith200: true,
    clientOf: (_, form) => ({ id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' }),
    // Otherwise GitHub answers with a form.
    faultOf: ({ headers }) => (headers.get('accept') === 'application/json' ? null : 'no_json_asked_for'),
    // https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent
    pageHeader: ['user-agent', /./],
    pages: {
      '/user': ({ id, login, name = null }) => ({ id, login, name, email: null }),
      '/user/emails': ({ emails = [] }) => emails,
    },
  })
