import { tokenRoutes, tokenStatus } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { call } from '../../lib/api'
import { notifySuccess } from '../../lib/notify'
import { useRefresh } from '../../lib/query'
import { runEach, type Progress } from '../../lib/run-each'
import { tokenReads } from './use-tokens'

type Token = tokenRoutes.TokenEntity

export type BulkKind = 'enable' | 'disable' | 'delete'

export interface BulkJob {
  readonly kind: BulkKind
  readonly progress: Progress<Token, Token>
  readonly isRunning: boolean
}

const works: Record<BulkKind, (token: Token) => Promise<unknown>> = {
  enable: ({ id }) => setStatus(id, tokenStatus.enabled),
  disable: ({ id }) => setStatus(id, tokenStatus.disabled),
  delete: ({ id }) => call(tokenRoutes.deleteToken, { params: { id } }),
}

const setStatus = (id: number, status: number) =>
  call(tokenRoutes.updateToken, { query: { status_only: true }, body: { id, status } })

/** One thing done with many tokens: how far it is, and what failed, until that has been read. */
export function useBulk() {
  const { t } = useTranslation('tokens')
  const refresh = useRefresh()
  const [job, setJob] = useState<BulkJob | undefined>()
  const run = async (kind: BulkKind, tokens: readonly Token[]) => {
    const work = async (token: Token) => {
      await works[kind](token)
      return token
    }
    setJob({ kind, isRunning: true, progress: { total: tokens.length, results: [], failures: [], left: tokens } })
    const progress = await runEach(tokens, work, {
      onProgress: (progress) => setJob({ kind, progress, isRunning: true }),
    })
    await refresh(...tokenReads)
    const isClean = progress.failures.length === 0
    setJob(isClean ? undefined : { kind, progress, isRunning: false })
    if (isClean) notifySuccess(t(`bulk.done.${kind}`, { count: tokens.length }))
  }
  return { job, run, close: () => setJob(undefined) }
}
