import { tokenRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { useWrite } from './query'

export interface TokenKey {
  /** As the server sent it, or revealed. */
  readonly key: string
  /** The site hides it until a proof of identity. */
  readonly isHidden: boolean
  /** Asks for the proof and reads the key. */
  readonly reveal: () => void
  readonly isRevealing: boolean
}

/** The key of a token, which can be revealed where the site hides keys. Kept for as long as it is shown. */
export function useTokenKey(token: Pick<tokenRoutes.TokenEntity, 'id' | 'key'> | undefined): TokenKey {
  const [revealed, setRevealed] = useState<{ readonly id: number; readonly key: string } | undefined>()
  const { mutate, isPending } = useWrite(tokenRoutes.revealTokenKey, {
    onSuccess: ({ key }, { params }) => setRevealed({ id: Number(params?.['id']), key }),
  })
  const key = (revealed && revealed.id === token?.id ? revealed.key : token?.key) ?? ''
  return {
    key,
    isHidden: tokenRoutes.isHiddenKey(key),
    reveal: () => token && mutate({ params: { id: token.id } }),
    isRevealing: isPending,
  }
}
