import {
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type RawNode,
} from 'kysely'

/** Runs a statement with its parameters by their names. */
export type RunQuery = (statement: string, parameters: Readonly<Record<string, unknown>>) => Promise<unknown[]>

/** Kysely's dialect for reading from ClickHouse: conditions are built by the same functions as for the SQL databases. */
export const clickHouseDialect = (run: RunQuery): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new QueryDriver(run),
  createIntrospector: (query) => new PostgresIntrospector(query),
  createQueryCompiler: () => new TypedParametersCompiler(),
})

/** Each parameter carries its name and its type, and is substituted by the server. */
class TypedParametersCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.addParameter(value)
    this.append(`{${nameOf(this.numParameters)}:${typeOf(value)}}`)
  }

  protected override visitRaw(node: RawNode): void {
    // The backslash always escapes, and releases before 2025 have no other way to say so.
    super.visitRaw({ ...node, sqlFragments: node.sqlFragments.map((text) => text.replace(" escape '\\'", '')) })
  }
}

const nameOf = (number: number): string => `p${number}`

function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'String'
  if (Number.isSafeInteger(value)) return 'Int64'
  if (Array.isArray(value)) return `Array(${value.length === 0 ? 'String' : typeOf(value[0])})`
  throw new TypeError(`A ${typeof value} cannot be a parameter for ClickHouse`)
}

class QueryDriver extends DummyDriver {
  readonly #run: RunQuery

  constructor(run: RunQuery) {
    super()
    this.#run = run
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const executeQuery = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const named = Object.fromEntries(parameters.map((value, index) => [nameOf(index + 1), value]))
      return { rows: (await this.#run(sql, named)) as Row[] }
    }
    return {
      executeQuery,
      async *streamQuery<Row>(compiled: CompiledQuery) {
        yield await executeQuery<Row>(compiled)
      },
    }
  }
}
