import { isOptionKey, isSecretOption } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Queries, Transaction } from './database'
import type { SealContext } from './seal'

/** One sealed text. */
export interface SealedText {
  /** For the next page. */
  readonly id: number | string
  readonly text: string
  readonly context: SealContext
}

type Store = Queries | Transaction

/** A column that has sealed texts. All of them are in the list, which the change of the key goes through. */
export interface SealedColumn {
  readonly name: string
  /** The table is small enough to be resealed in one transaction. */
  readonly isSmall: boolean
  /** Resolves with the texts after an id, in order. */
  page(query: Store, after: number | string | null, limit: number): Promise<SealedText[]>
  /** Replaces a text, unless it was replaced meanwhile. */
  replace(query: Store, old: SealedText, text: string): Promise<void>
}

type NumberedColumn =
  | 'channels.key_sealed'
  | 'channels.secrets_sealed'
  | 'tokens.key_sealed'
  | 'redemption_codes.key_sealed'
  | 'totp_factors.secret_sealed'
  | 'users.webhook_secret_sealed'
  | 'secret_probes.sealed'

/** A column whose rows are numbered by `idName`. */
function numberedColumn(name: NumberedColumn, idName: 'id' | 'user_id' = 'id'): SealedColumn {
  const [tableName = '', columnName = ''] = name.split('.')
  const [table, column, number] = [sql.table(tableName), sql.ref(columnName), sql.ref(idName)]
  return {
    name,
    isSmall: true,
    async page(query, after, limit) {
      const { rows } = await sql<{ id: number; text: string }>`
        select ${number} as id, ${column} as text from ${table}
        where ${number} > ${after ?? 0} and ${column} != '' order by ${number} limit ${limit}`.execute(query)
      return rows.map(({ id, text }) => ({ id, text, context: `${name}#${id}` }))
    },
    async replace(query, { id, text: old }, text) {
      await sql`update ${table} set ${column} = ${text} where ${number} = ${id} and ${column} = ${old}`.execute(query)
    },
  }
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
      // What is not a secret is stored unsealed there.
      text: isOptionKey(key) && isSecretOption(key) ? value : '',
      context: `options.value#${key}`,
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

const clientSecrets: SealedColumn = {
  name: 'realtime_secrets.sealed',
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('realtime_secrets')
      .select(['hash', 'sealed'])
      .where('hash', '>', String(after ?? ''))
      .orderBy('hash')
      .limit(limit)
      .execute()
    return rows.map(({ hash: id, sealed: text }) => ({ id, text, context: `realtime_secrets.sealed#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('realtime_secrets')
      .set({ sealed: text })
      .where('hash', '=', String(id))
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
    return rows.map(({ request_id: id, text }) => ({ id, text, context: `log_texts.${column}#${id}` }))
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

/** Each text may have many megabytes, so one is read at a time. */
const taskResponses: SealedColumn = {
  name: 'task_answers.sealed',
  isSmall: false,
  async page(query, after) {
    const rows = await query
      .selectFrom('task_answers')
      .select(['task_id', 'sealed'])
      .where('task_id', '>', String(after ?? ''))
      .orderBy('task_id')
      .limit(1)
      .execute()
    return rows.map(({ task_id: id, sealed: text }) => ({ id, text, context: `task_answers.sealed#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('task_answers')
      .set({ sealed: text })
      .where('task_id', '=', String(id))
      .where('sealed', '=', old)
      .execute()
  },
}

/** As a thread of turns may have many megabytes. */
const turnsAtOnce = 16

const turns: SealedColumn = {
  name: 'response_turns.sealed',
  isSmall: false,
  async page(query, after) {
    const [hash = '', userId = '0'] = String(after ?? '').split(':')
    const rows = await query
      .selectFrom('response_turns')
      .select(['id_hash', 'user_id', 'sealed'])
      .where((eb) =>
        eb.or([eb('id_hash', '>', hash), eb.and([eb('id_hash', '=', hash), eb('user_id', '>', Number(userId))])]),
      )
      .orderBy('id_hash')
      .orderBy('user_id')
      .limit(turnsAtOnce)
      .execute()
    return rows.map(({ id_hash, user_id, sealed: text }) => {
      const id = `${id_hash}:${user_id}`
      return { id, text, context: `response_turns.sealed#${id}` }
    })
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('response_turns')
      .set({ sealed: text })
      .where('id_hash', '=', String(id).split(':')[0] ?? '')
      .where('sealed', '=', old)
      .execute()
  },
}

const conversations: SealedColumn = {
  name: 'conversations.sealed',
  isSmall: false,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('conversations')
      .select(['id_hash', 'sealed'])
      .where('id_hash', '>', String(after ?? ''))
      .orderBy('id_hash')
      .limit(limit)
      .execute()
    return rows.map(({ id_hash: id, sealed: text }) => ({ id, text, context: `conversations.sealed#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('conversations')
      .set({ sealed: text })
      .where('id_hash', '=', String(id))
      .where('sealed', '=', old)
      .execute()
  },
}

const conversationItems: SealedColumn = {
  name: 'conversation_items.sealed',
  isSmall: false,
  async page(query, after) {
    const rows = await query
      .selectFrom('conversation_items')
      .select(['id', 'conversation_hash', 'sealed'])
      .where('id', '>', Number(after ?? 0))
      .orderBy('id')
      .limit(turnsAtOnce)
      .execute()
    return rows.map(({ id, conversation_hash: hash, sealed: text }) => ({
      id,
      text,
      context: `conversation_items.sealed#${hash}`,
    }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('conversation_items')
      .set({ sealed: text })
      .where('id', '=', Number(id))
      .where('sealed', '=', old)
      .execute()
  },
}

const keyedActs: SealedColumn = {
  name: 'keyed_acts.answer_sealed',
  isSmall: true,
  async page(query, after, limit) {
    const rows = await query
      .selectFrom('keyed_acts')
      .select(['id_hash', 'answer_sealed'])
      .where('id_hash', '>', String(after ?? ''))
      .where('answer_sealed', '!=', '')
      .orderBy('id_hash')
      .limit(limit)
      .execute()
    return rows.map(({ id_hash: id, answer_sealed: text }) => ({ id, text, context: `keyed_acts.answer_sealed#${id}` }))
  },
  async replace(query, { id, text: old }, text) {
    await query
      .updateTable('keyed_acts')
      .set({ answer_sealed: text })
      .where('id_hash', '=', String(id))
      .where('answer_sealed', '=', old)
      .execute()
  },
}

/** The keys with which bytes are encrypted, which are not resealed themselves. */
const contentKeys = (table: 'files' | 'batches', id: 'public_id' | 'task_id'): SealedColumn => ({
  name: `${table}.key_sealed`,
  isSmall: true,
  async page(query, after, limit) {
    const { rows } = await sql<{ id: string; text: string }>`
      select ${sql.ref(id)} as id, key_sealed as text from ${sql.table(table)}
      where ${sql.ref(id)} > ${String(after ?? '')} order by ${sql.ref(id)} limit ${limit}`.execute(query)
    return rows.map((row) => ({ ...row, context: `${table}.key_sealed#${row.id}` }))
  },
  async replace(query, { id: of, text: old }, text) {
    await sql`update ${sql.table(table)} set key_sealed = ${text}
      where ${sql.ref(id)} = ${String(of)} and key_sealed = ${old}`.execute(query)
  },
})

/** The probe comes last: while it is sealed with the old key, nodes know that the change is in progress. */
export const sealedColumns: readonly SealedColumn[] = [
  numberedColumn('channels.key_sealed'),
  numberedColumn('channels.secrets_sealed'),
  numberedColumn('tokens.key_sealed'),
  numberedColumn('redemption_codes.key_sealed'),
  options,
  numberedColumn('totp_factors.secret_sealed', 'user_id'),
  numberedColumn('users.webhook_secret_sealed'),
  clientSecrets,
  textColumn('context'),
  textColumn('input'),
  textColumn('output'),
  taskResponses,
  turns,
  conversations,
  conversationItems,
  keyedActs,
  contentKeys('files', 'public_id'),
  contentKeys('batches', 'task_id'),
  numberedColumn('secret_probes.sealed'),
]
