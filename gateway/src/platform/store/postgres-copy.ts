import { Client, type Connection, type Submittable } from 'pg'

import { withLibpqTls } from './postgres'

declare module 'pg' {
  interface Connection {
    sendCopyFromChunk(chunk: Uint8Array): void
    endCopyFrom(): void
  }
}

/** Copies rows as text (`COPY`), over a connection of its own that is opened by the first use. A line is a row, as `copyLine` writes it. */
export class PostgresCopies {
  readonly #url: string
  #client: Promise<Client> | null = null

  constructor(url: string) {
    this.#url = url
  }

  /** Runs statements, the last of which is `copy … from stdin`, in one transaction. What a crash of the server takes back it takes back as a whole. */
  async write(statements: string, lines: Uint8Array): Promise<void> {
    const client = await this.#connect()
    await new Promise<void>((resolve, reject) => void client.query(new CopyIn(statements, lines, { resolve, reject })))
  }

  /** Runs `copy … to stdout`, and calls back with each line, which is valid until the call returns. */
  async read(statement: string, onLine: (line: Uint8Array) => void): Promise<void> {
    const client = await this.#connect()
    await new Promise<void>((resolve, reject) => void client.query(new CopyOut(statement, onLine, { resolve, reject })))
  }

  async close(): Promise<void> {
    await (await this.#client)?.end()
  }

  #connect(): Promise<Client> {
    this.#client ??= connect(this.#url)
    return this.#client
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: withLibpqTls(url), keepAlive: true, connectionTimeoutMillis: 5000 })
  // One that breaks fails its statement.
  client.on('error', () => {})
  await client.connect()
  await client.query("set synchronous_commit = off; set bytea_output = 'hex'")
  return client
}

interface Settled {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** What the driver calls while a statement runs. */
abstract class Copy implements Submittable {
  readonly #settled: Settled

  constructor(settled: Settled) {
    this.#settled = settled
  }

  abstract submit(connection: Connection): void

  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#settled.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settled.resolve()
  }
}

class CopyIn extends Copy {
  readonly #statements: string
  readonly #lines: Uint8Array

  constructor(statements: string, lines: Uint8Array, settled: Settled) {
    super(settled)
    this.#statements = statements
    this.#lines = lines
  }

  /** The server ignores rows of a copy that it has refused, so they need not wait for its consent. */
  submit(connection: Connection): void {
    connection.query(this.#statements)
    connection.sendCopyFromChunk(this.#lines)
    connection.endCopyFrom()
  }
}

class CopyOut extends Copy {
  readonly #statement: string
  readonly #onLine: (line: Uint8Array) => void

  constructor(statement: string, onLine: (line: Uint8Array) => void, settled: Settled) {
    super(settled)
    this.#statement = statement
    this.#onLine = onLine
  }

  submit(connection: Connection): void {
    connection.query(this.#statement)
  }

  handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.#onLine(chunk)
  }
}
