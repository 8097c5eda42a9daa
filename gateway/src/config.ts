export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Empty: SQLite in the data folder. */
  readonly databaseUrl: string
  readonly redisUrl: string
  /** 32 bytes that seal secrets at rest. */
  readonly secretKey: Uint8Array
  readonly workers: number
  /** CIDR ranges whose client-address headers are believed. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  readonly maxRequestBodyBytes: number
  readonly streamIdleTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly shutdownTimeoutMs: number
  readonly durability: 'process' | 'power'
}
