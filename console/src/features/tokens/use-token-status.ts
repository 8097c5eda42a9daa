import { useQueryClient } from '@tanstack/react-query'
import { tokenRoutes, type RouteAnswer } from '@tollgate/contract'

import { useWrite } from '../../lib/api/query'
import { tokenReads } from './use-tokens'

type Token = tokenRoutes.TokenEntity
type TokenPage = RouteAnswer<typeof tokenRoutes.listTokens>

/** Returns a function that enables or disables a token: shown at once, reverted when the server refuses. */
export function useTokenStatus(): (token: Token, status: number) => Promise<void> {
  const client = useQueryClient()
  const write = useWrite(tokenRoutes.updateToken, { changes: tokenReads })
  const show = (token: Token) => {
    for (const { path } of tokenReads) {
      client.setQueriesData<TokenPage>({ queryKey: [path] }, (page) => page && replaced(page, token))
    }
  }
  return async (token, status) => {
    show({ ...token, status })
    try {
      show(await write.mutateAsync({ query: { status_only: true }, body: { id: token.id, status } }))
    } catch {
      // The write has already shown the refusal.
      show(token)
    }
  }
}

const replaced = (page: TokenPage, token: Token): TokenPage => ({
  ...page,
  items: page.items.map((item) => (item.id === token.id ? token : item)),
})
