import { ApiError, userRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from '../../lib/text/i18n'

import { newActKey } from '../../lib/api/act-keys'
import { call, toApiError } from '../../lib/api/api'
import { notifyError, notifySuccess } from '../../lib/browser/notify'
import { useRefresh } from '../../lib/api/query'
import type { Progress } from '../../lib/api/run-each'
import { userReads } from './user-data'

type User = userRoutes.KnownUser

export type BulkKind = 'group' | 'credit' | 'ban' | 'enable'

interface BulkChange {
  readonly group?: string
  readonly quota?: number
  readonly status?: 1 | 2
  readonly reason: string
}

interface Named {
  readonly id: number
  readonly name: string
}

/** A change of many users. Refusals stay until they have been read. */
export function useBulk(users: readonly User[], onDone: () => void) {
  const { t } = useTranslation('users')
  const refresh = useRefresh()
  const [operationId] = useState(newActKey)
  const [isSaving, setSaving] = useState(false)
  const [refused, setRefused] = useState<Progress<Named, number> | undefined>()

  async function save(change: BulkChange) {
    setSaving(true)
    try {
      const ids = users.map(({ id }) => id)
      const results = await call(userRoutes.changeUsers, { body: { ...change, ids, operation_id: operationId } })
      await refresh(...userReads)
      const progress = progressOf(results, users)
      if (progress.failures.length > 0) setRefused(progress)
      else {
        notifySuccess(t('bulk.done', { count: results.length }))
        onDone()
      }
    } catch (error) {
      notifyError(toApiError(error))
    } finally {
      setSaving(false)
    }
  }
  return { save, isSaving, refused }
}

function progressOf(
  results: readonly { readonly id: number; readonly outcome: string; readonly message: string }[],
  users: readonly User[],
): Progress<Named, number> {
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const failures = results
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ id, message }) => ({
      item: { id, name: names.get(id) ?? String(id) },
      error: new ApiError(message, 200, undefined, undefined),
    }))
  const done = results.filter(({ outcome }) => outcome !== 'refused').map(({ id }) => id)
  return { total: results.length, results: done, failures, left: [] }
}
