import type { Client } from 'pg'

/** What makes a used database like new. */
export interface Original {
  readonly schema: string
  /** Inserts the rows that it has at first. */
  readonly inserts: string
  readonly sequences: ReadonlyMap<string, SequenceState>
}

interface SequenceState {
  readonly last: string | null
  readonly first: string
}

interface State {
  readonly schema: string
  /** Tables that have held rows. */
  readonly tables: readonly string[]
  readonly sequences: readonly (SequenceState & { readonly name: string })[]
}

/** Reads the state of a database that is new. */
export async function originalOf(client: Client): Promise<Original> {
  const { schema, tables, sequences } = await stateOf(client)
  const inserts: string[] = []
  for (const table of tables) {
    const { rows } = await client.query<{ rows: unknown }>(`select json_agg(t) as rows from ${table} t`)
    const values = client.escapeLiteral(JSON.stringify(rows[0]?.rows ?? []))
    inserts.push(`insert into ${table} select * from json_populate_recordset(null::${table}, ${values});`)
  }
  return { schema, inserts: inserts.join('\n'), sequences: new Map(sequences.map((one) => [one.name, one])) }
}

/**
 * Restores a used database to its first state, as a superuser: only a superuser can delete rows of the audit log. Resolves with false when
 * its schema was changed, which is left as it is.
 */
export async function restore(client: Client, original: Original): Promise<boolean> {
  const { schema, tables, sequences } = await stateOf(client)
  if (schema !== original.schema) return false
  const used = sequences.filter(({ name, last }) => last !== original.sequences.get(name)?.last)
  await client.query(`
    set session_replication_role = replica;
    ${
      // Not deleted: plans depend on what a table has held.
      tables.length > 0 ? `truncate ${tables.join(', ')} cascade;` : ''
    }
    delete from pg_statistic where starelid >= ${firstOwnOid};
    ${original.inserts}
    ${used.map(({ name }) => setSequence(name, original.sequences.get(name))).join('\n')}`)
  return true
}

/** Below are the tables of the server. */
const firstOwnOid = 16_384

const setSequence = (name: string, { last, first }: SequenceState = { last: null, first: '1' }) =>
  `select setval('${name}', ${last ?? first}, ${last !== null});`

/**
 * Rows of the catalog that were changed have been written by a later transaction, except those of tables: theirs are written again when the
 * table is emptied.
 */
async function stateOf(client: Client): Promise<State> {
  const { rows } = await client.query<State>(`
    select
      (select string_agg(part, ' ') from (
        select concat('relations ', count(*), ' ', sum(hashtext(concat_ws(' ', oid, relname, reloptions, relrowsecurity)))) as part
          from pg_class where relnamespace = 'public'::regnamespace
        union all select concat('columns ', count(*), ' ', sum(xmin::text::bigint)) from pg_attribute where attrelid >= ${firstOwnOid}
        union all select concat('constraints ', count(*), ' ', sum(xmin::text::bigint)) from pg_constraint where oid >= ${firstOwnOid}
        union all select concat('triggers ', count(*), ' ', sum(xmin::text::bigint)) from pg_trigger
        union all select concat('functions ', count(*), ' ', sum(xmin::text::bigint)) from pg_proc where oid >= ${firstOwnOid}
        union all select concat('settings ', count(*)) from pg_db_role_setting
          where setdatabase = (select oid from pg_database where datname = current_database())
      ) parts) as schema,
      array(select oid::regclass::text from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0) as tables,
      (select coalesce(json_agg(json_build_object('name', quote_ident(schemaname) || '.' || quote_ident(sequencename),
        'last', last_value::text, 'first', start_value::text)), '[]') from pg_sequences) as sequences`)
  const [state] = rows
  if (!state) throw new Error('The database does not tell its state')
  return state
}
