import { tokenRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { useRead, useWrite } from '../../lib/api/query'
import { useTokenKey } from '../../lib/api/use-token-key'

type Token = tokenRoutes.TokenEntity

/** The key that is filled into the lines: typed, made here, or that of the token which the address names. Kept while the page is open. */
export function useHeldKey(tokenId: number | undefined) {
  const [typed, setTyped] = useState('')
  const [created, setCreated] = useState<Token | undefined>()
  const [isDropped, setDropped] = useState(false)
  const named = useRead(
    tokenRoutes.getToken,
    { params: { id: tokenId ?? 0 } },
    { enabled: tokenId !== undefined && !isDropped },
  )
  const token = created ?? (tokenId !== undefined && !isDropped ? named.data : undefined)
  const known = useTokenKey(token)
  const creation = useWrite(tokenRoutes.createToken, {
    changes: [tokenRoutes.listTokens, tokenRoutes.searchTokens],
    onSuccess: setCreated,
  })
  const isTokenKey = token !== undefined && token.key !== '' && !known.isHidden
  return {
    /** Includes `sk-`; empty: none yet. */
    apiKey: typed === '' ? (isTokenKey ? `sk-${known.key}` : '') : typed,
    /** The token whose key it is, where it is one of the reader's. */
    token: typed === '' ? token : undefined,
    isCreated: typed === '' && created !== undefined,
    /** The site hides the key until a proof of identity. */
    hidden: typed === '' && token !== undefined && known.isHidden ? known : undefined,
    isCreating: creation.isPending,
    create: (name: string) => creation.mutate({ body: { name, unlimited_quota: true } }),
    type: (text: string) => setTyped(withPrefix(text.trim())),
    drop: () => {
      setTyped('')
      setCreated(undefined)
      setDropped(true)
    },
  }
}

export type HeldKey = ReturnType<typeof useHeldKey>

const withPrefix = (text: string): string => (text === '' || text.startsWith('sk-') ? text : `sk-${text}`)
