import { type ApiError, tokenRoutes } from '@tollgate/contract'
import { useRef, useState } from 'react'

import { call } from '../../lib/api/api'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useRefresh } from '../../lib/api/query'
import { runEach } from '../../lib/api/run-each'
import { editOf, fieldOfRefusal, fieldsOf, type TokenForm, type TokenValues } from './token-form'
import { tokenReads } from './token-data'

type Token = tokenRoutes.TokenEntity

/** Result of a creation. */
export interface Created {
  readonly tokens: readonly Token[]
  /** How many were requested. */
  readonly requested: number
  /** Why there are fewer. */
  readonly error?: ApiError
}

interface SaveOptions {
  /** The token to edit; undefined: create. */
  readonly token: Token | undefined
  readonly form: TokenForm
  readonly onCreated: (created: Created) => void
  readonly onSaved: () => void
}

/** Creates or edits tokens, one attempt at a time; a refusal is shown at its field and what was typed stays. */
export function useSaveToken({ token, form, onCreated, onSaved }: SaveOptions) {
  const { t } = useTranslation('tokens')
  const refresh = useRefresh()
  const isRunning = useRef(false)
  const [saved, setSaved] = useState<number | undefined>()
  const refused = showAtField(form, fieldOfRefusal)

  async function create(values: TokenValues) {
    const names = namesOf(values.name.trim(), Number(values.count))
    const fields = fieldsOf(values)
    const { results, failures } = await runEach(
      names,
      (name) => call(tokenRoutes.createToken, { body: { ...fields, name } }),
      { stopsAtFailure: true, onProgress: ({ results }) => setSaved(results.length) },
    )
    const error = failures[0]?.error
    if (results.length > 0) onCreated({ tokens: results, requested: names.length, error })
    else if (error) refused(error)
  }

  async function change(before: Token, values: TokenValues) {
    const body = { id: before.id, ...editOf(before, values) }
    const { failures } = await runEach([body], (body) => call(tokenRoutes.updateToken, { body }))
    const error = failures[0]?.error
    if (error) return refused(error)
    notifySuccess(t('saved', { name: values.name.trim() }))
    onSaved()
  }

  async function save(values: TokenValues) {
    if (isRunning.current) return notifyWarning(t('twice'))
    isRunning.current = true
    setSaved(0)
    await (token ? change(token, values) : create(values))
    await refresh(...tokenReads)
    isRunning.current = false
    setSaved(undefined)
  }

  return { save, isSaving: saved !== undefined, saved: saved ?? 0 }
}

const suffixLetters = 'abcdefghijkmnpqrstuvwxyz23456789'
const suffixLength = 6

/** Returns the names of a batch: the name itself, then the name with six random letters each. */
export function namesOf(name: string, count: number): string[] {
  const room = tokenRoutes.maxTokenNameLength - suffixLength - 1
  const base = Array.from(name).slice(0, room).join('')
  const names = new Set([name])
  while (names.size < count) names.add(`${base}-${suffix()}`)
  return [...names]
}

const suffix = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(suffixLength)), (byte) =>
    suffixLetters.charAt(byte % suffixLetters.length),
  ).join('')
