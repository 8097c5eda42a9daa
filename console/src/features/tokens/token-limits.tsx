import { tokenRoutes } from '@tollgate/contract'

import { LimitsDrawer } from '../../domain/limits/limits-drawer'
import { useRead } from '../../lib/api/query'

interface TokenLimitsProps {
  readonly id: number
  readonly onClose: () => void
}

/** The limits of one of the reader's tokens. */
export function TokenLimits({ id, onClose }: TokenLimitsProps) {
  const { data } = useRead(tokenRoutes.getToken, { params: { id } })
  const name = data?.id === id ? data.name : `#${id}`
  return <LimitsDrawer key={id} owner={{ owner: 'token', ref: String(id), name, isOwn: true }} onClose={onClose} />
}
