import type { Database } from '../src/platform/store/database'

/** Records the statements that go to a database, those of one connection or transaction together. */
export function recordStatements({ query }: Database): string[][] {
  const groups: string[][] = []
  const executor = query.getExecutor()
  const provideConnection = executor.provideConnection.bind(executor)
  executor.provideConnection = (consumer) =>
    provideConnection((connection) => {
      const statements: string[] = []
      groups.push(statements)
      return consumer({
        executeQuery: (compiled) => {
          statements.push(compiled.sql)
          return connection.executeQuery(compiled)
        },
        streamQuery: (compiled, chunkSize) => connection.streamQuery(compiled, chunkSize),
      })
    })
  return groups
}
