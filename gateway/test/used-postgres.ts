import type { Client } from 'pg'

/** What makes a used database like new. */
export interface Original {
  readonly schema: string
  readonly rows: readonly { readonly table: string; readonly rows: unknown }[]
  readonly sequences: readonly { readonly name: string; readonly last: string | null; readonly first: string }[]
}

const isTable = `relkind = 'r' and relnamespace = 'public'::regnamespace`

/** Reads the state of a database that is new. */
export async function originalOf(client: Client): Promise<Original> {
  const { rows: tables } = await client.query<{ table: string }>(
    `select oid::regclass::text as "table" from pg_class where ${isTable}`,
  )
  const rows: { table: string; rows: unknown }[] = []
  for (const { table } of tables) {
    const { rows: found } = await client.query<{ rows: unknown }>(`select json_agg(t) as rows from ${table} t`)
    if (found[0]?.rows) rows.push({ table, rows: found[0].rows })
  }
  const { rows: sequences } = await client.query<Original['sequences'][number]>(
    `select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::text as last, start_value::text as first from pg_sequences`,
  )
  return { schema: await schemaOf(client), rows, sequences }
}

/**
 * Restores a used database to its first state, as a superuser: only a superuser can delete rows of the audit log. Resolves with false when
 * its schema was changed, which is left as it is.
 */
export async function restore(client: Client, original: Original): Promise<boolean> {
  if ((await schemaOf(client)) !== original.schema) return false
  await client.query(`set session_replication_role = replica`)
  const { rows: used } = await client.query<{ table: string }>(
    `select oid::regclass::text as "table" from pg_class where ${isTable} and pg_relation_size(oid) > 0`,
  )
  // Not deleted: plans depend on what a table has held.
  if (used.length > 0) await client.query(`truncate ${used.map(({ table }) => table).join(', ')}`)
  await client.query(`delete from pg_statistic where starelid in (select oid from pg_class where ${isTable})`)
  for (const { table, rows } of original.rows) {
    await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ])
  }
  if (original.sequences.length > 0) {
    const values = original.sequences.map(
      ({ name, last, first }) => `setval('${name}', ${last ?? first}, ${last !== null})`,
    )
    await client.query(`select ${values.join(', ')}`)
  }
  return true
}

/** Returns a hash of everything in the schema except its rows. */
async function schemaOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(`
    with relations as (select * from pg_class where relnamespace = 'public'::regnamespace)
    select md5(string_agg(part, ',' order by part)) as hash from (
      select concat_ws(' ', 'relation', oid, relname, reloptions, relrowsecurity) as part from relations
      union all
      select concat_ws(' ', 'column', attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attisdropped)
        from pg_attribute where attrelid in (select oid from relations) and attnum > 0
      union all select concat_ws(' ', 'constraint', oid, conname) from pg_constraint where connamespace = 'public'::regnamespace
      union all select concat_ws(' ', 'trigger', oid, tgenabled) from pg_trigger where not tgisinternal
      union all select concat_ws(' ', 'function', oid, proname) from pg_proc where pronamespace = 'public'::regnamespace
      union all select concat_ws(' ', 'setting', setconfig) from pg_db_role_setting
        where setdatabase = (select oid from pg_database where datname = current_database())
    ) parts`)
  return rows[0]?.hash ?? ''
}
