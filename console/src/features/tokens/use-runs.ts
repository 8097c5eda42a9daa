import { tokenRoutes, tokenStatus } from '@tollgate/contract'

import { call } from '../../lib/api/api'
import { useTranslation } from '../../lib/text/i18n'
import { useRun } from '../../lib/api/use-run'
import { tokenReads } from './token-data'

type Token = tokenRoutes.TokenEntity

export type RunKind = 'enable' | 'disable' | 'delete'

const setStatus = (id: number, status: number) =>
  call(tokenRoutes.updateToken, { query: { status_only: true }, body: { id, status } })

const works: Record<RunKind, (token: Token) => Promise<unknown>> = {
  enable: ({ id }) => setStatus(id, tokenStatus.enabled),
  disable: ({ id }) => setStatus(id, tokenStatus.disabled),
  delete: ({ id }) => call(tokenRoutes.deleteToken, { params: { id } }),
}

/** Bulk operations on tokens. */
export function useRuns() {
  const { t } = useTranslation('tokens')
  return useRun({ works, reads: tokenReads, done: (kind, count) => t(`bulk.done.${kind}`, { count }) })
}
