import { isOptionKey, isSecretOption } from '@tollgate/contract'

import type { Queries, Transaction } from './database'
import type { SealedPlace } from './seal'

/** One text that is sealed. */
export interface SealedText {
  /** For the next page. */
  readonly id: number | string
  readonly text: string
  readonly place: SealedPlace
}

type Store = Queries | Transaction

/** A column that holds sealed texts. Every one of them is in the list, which the change of the key goes through. */
export interface SealedColumn {
  readonly name: string
  /** The table is small enough to be sealed anew in one transaction. */
  readonly isSmall: boolean
  /** The texts after an id, in their order. */
  page(query: Store, after: number | string | null, limit: number): Promise<SealedText[]>
  /** Puts a text in the place of another, unless that was replaced meanwhile. */
  replace(query: Store, old: SealedText, text: string): Promise<void>
}

const keyColumn = (table: 'channels' | 'tokens'): SealedColumn => ({
  name: `${table}.key_sealed`,
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom(table)
      .select(['id', 'key_sealed'])
      .where('id', '>', Number(after ?? 0))
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, key_sealed: text }) => ({ id, text, place: `${table}.key_sealed#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable(table)
      .set({ key_sealed: text })
      .where('id', '=', Number(id))
      .where('key_sealed', '=', old)
      .execute()
  },
})

const totpSecrets: SealedColumn = {
  name: 'totp_factors.secret_sealed',
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('totp_factors')
      .select(['user_id', 'secret_sealed'])
      .where('user_id', '>', Number(after ?? 0))
      .orderBy('user_id')
      .limit(limit)
      .execute()
    return rows.map(({ user_id: id, secret_sealed: text }) => ({
      id,
      text,
      place: `totp_factors.secret_sealed#${id}`,
    }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('totp_factors')
      .set({ secret_sealed: text })
      .where('user_id', '=', Number(id))
      .where('secret_sealed', '=', old)
      .execute()
  },
}

const webhookSecrets: SealedColumn = {
  name: 'users.webhook_secret_sealed',
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('users')
      .select(['id', 'webhook_secret_sealed'])
      .where('id', '>', Number(after ?? 0))
      .where('webhook_secret_sealed', '!=', '')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, webhook_secret_sealed: text }) => ({
      id,
      text,
      place: `users.webhook_secret_sealed#${id}`,
    }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('users')
      .set({ webhook_secret_sealed: text })
      .where('id', '=', Number(id))
      .where('webhook_secret_sealed', '=', old)
      .execute()
  },
}

const options: SealedColumn = {
  name: 'options.value',
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('options')
      .select(['key', 'value'])
      .where('key', '>', String(after ?? ''))
      .orderBy('key')
      .limit(limit)
      .execute()
    return rows.map(({ key, value }) => ({
      id: key,
      // What is no secret stands there as it is.
      text: isOptionKey(key) && isSecretOption(key) ? value : '',
      place: `options.value#${key}`,
    }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('options')
      .set({ value: text })
      .where('key', '=', String(id))
      .where('value', '=', old)
      .execute()
  },
}

const probe: SealedColumn = {
  name: 'secret_probes.sealed',
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('secret_probes')
      .selectAll()
      .where('id', '>', Number(after ?? 0))
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, sealed: text }) => ({ id, text, place: `secret_probes.sealed#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('secret_probes')
      .set({ sealed: text })
      .where('id', '=', Number(id))
      .where('sealed', '=', old)
      .execute()
  },
}

const textColumn = (column: 'context' | 'input' | 'output'): SealedColumn => ({
  name: `log_texts.${column}`,
  isSmall: false,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('log_texts')
      .select(['request_id', `${column} as text`])
      .where('request_id', '>', String(after ?? ''))
      .orderBy('request_id')
      .limit(limit)
      .execute()
    return rows.map(({ request_id: id, text }) => ({ id, text, place: `log_texts.${column}#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('log_texts')
      .set({ [column]: text })
      .where('request_id', '=', String(id))
      .where(column, '=', old)
      .execute()
  },
})

/** The probe comes last: while it is sealed with the old key, nodes know that the change is under way. */
export const sealedColumns: readonly SealedColumn[] = [
  keyColumn('channels'),
  keyColumn('tokens'),
  options,
  totpSecrets,
  webhookSecrets,
  textColumn('context'),
  textColumn('input'),
  textColumn('output'),
  probe,
]
