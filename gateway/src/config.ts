import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** What the operator set in the environment. This file is its only reader. */
export interface Config {
  readonly host: string
  /** 0: any free port, for one worker. */
  readonly port: number
  readonly dataDir: string
  /** Empty: SQLite in the data folder. */
  readonly databaseUrl: string
  /** Empty: limits are kept in memory, for each worker alone. */
  readonly redisUrl: string
  /** Asked of whoever reads the metrics; empty: only this machine may. */
  readonly metricsToken: string
  /** Empty: a key is made in the data folder. */
  readonly secretKey: string
  readonly workers: number
  /** CIDR ranges whose client-address headers are believed. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: (typeof logLevels)[number]
  readonly maxRequestBodyBytes: number
  /** Until a connection to an upstream stands. */
  readonly connectTimeoutMs: number
  /** Until a stream begins. */
  readonly firstByteTimeoutMs: number
  /** Between two reads of a stream. */
  readonly streamIdleTimeoutMs: number
  /** For a whole call with all its attempts. */
  readonly requestTimeoutMs: number
  /** How long an upstream may go on for its usage after the client left, where a channel drains. */
  readonly drainTimeoutMs: number
  readonly shutdownTimeoutMs: number
  readonly durability: 'process' | 'power'
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const megabyte = 1024 * 1024

/** Every bad value of the environment, a sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'))
  }
}

const seconds = (fallback: number) => wholeNumber(1, 86_400, 'seconds').default(fallback)

const Environment = z.object({
  HOST: z
    .string()
    .refine((host) => host === 'localhost' || ipaddr.isValid(host), 'must be an IP address or localhost')
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  REDIS_URL: url(['redis:', 'rediss:']),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  WORKERS: z
    .string()
    .transform((text) => (text === 'auto' ? String(navigator.hardwareConcurrency) : text))
    .pipe(wholeNumber(1, 256, '', ', or auto'))
    .default(1),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((range) => range.trim())
        .filter(Boolean),
    )
    .refine((ranges) => ranges.every(isRange), 'must be a list of addresses or CIDR ranges, as 10.0.0.0/8,::1/128')
    .default([]),
  METRICS_TOKEN: z.string().default(''),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  MAX_REQUEST_BODY_MB: wholeNumber(1, 1024, 'megabytes').default(32),
  CONNECT_TIMEOUT: seconds(10),
  FIRST_BYTE_TIMEOUT: wholeNumber(1, 86_400, 'seconds').optional(),
  STREAM_IDLE_TIMEOUT: seconds(120),
  REQUEST_TIMEOUT: seconds(600),
  DRAIN_TIMEOUT: seconds(60),
  SHUTDOWN_TIMEOUT: seconds(30),
  DURABILITY: z.enum(['process', 'power'], { error: 'must be process or power' }).default('process'),
})

/**
 * Read and check the environment; an empty value counts as unset.
 * @throws ConfigError naming every bad value.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const result = Environment.safeParse(set)
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`))
  }
  const env = result.data
  if (env.PORT === 0 && env.WORKERS > 1) throw new ConfigError(['PORT must be set when there are several WORKERS.'])
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    metricsToken: env.METRICS_TOKEN,
    secretKey: env.SECRET_KEY ?? '',
    workers: env.WORKERS,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    maxRequestBodyBytes: env.MAX_REQUEST_BODY_MB * megabyte,
    connectTimeoutMs: env.CONNECT_TIMEOUT * 1000,
    firstByteTimeoutMs: (env.FIRST_BYTE_TIMEOUT ?? env.STREAM_IDLE_TIMEOUT) * 1000,
    streamIdleTimeoutMs: env.STREAM_IDLE_TIMEOUT * 1000,
    requestTimeoutMs: env.REQUEST_TIMEOUT * 1000,
    drainTimeoutMs: env.DRAIN_TIMEOUT * 1000,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT * 1000,
    durability: env.DURABILITY,
  }
}

function wholeNumber(lowest: number, highest: number, unit = '', alternative = '') {
  const error = `must be a whole number${unit && ` of ${unit}`} from ${lowest} to ${highest}${alternative}`
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(lowest, error).max(highest, error))
}

function url(protocols: readonly string[]) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
      error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    })
    .default('')
}

function isRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
}
