import { channelNumbers, logLevels, type LogLevel } from '@tollgate/contract'
import ipaddr from 'ipaddr.js'
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { z } from 'zod'

import { defaultDataDir } from './data-dir'
import { messageOf } from '../text/message-of'

/** Bytes that calls in flight may hold. */
export interface MemoryLimits {
  /** All of one worker. */
  readonly total: number
  /** Those of one user of it. */
  readonly ofUser: number
}

/** The operator's settings in the environment. This file is its only reader, except for `data-dir.ts`. */
export interface Config {
  readonly host: string
  /** 0: any free port, for one worker. */
  readonly port: number
  readonly dataDir: string
  /** Empty: SQLite in the data folder. */
  readonly databaseUrl: string
  /** How long a start waits for PostgreSQL. */
  readonly databaseWaitMs: number
  /** Empty: the log stays in the database. */
  readonly clickHouseUrl: string
  /** Empty: limits are kept in memory, separately for each worker. */
  readonly redisUrl: string
  /** The set-up code is asked of everyone, also at this machine. */
  readonly requireSetupCode: boolean
  /** Required to read the metrics; empty: they cannot be read. */
  readonly metricsToken: string
  /** Empty: a key is created in the data folder. */
  readonly secretKey: string
  /** Decrypts what is not resealed yet, while the key is changed; empty: none. */
  readonly previousSecretKey: string
  readonly workers: number
  /** CIDR ranges that are allowed for addresses entered by people, though they are not public. */
  readonly outboundRanges: readonly string[]
  /** CIDR ranges whose client-address headers are trusted. */
  readonly trustedProxies: readonly string[]
  readonly logLevel: LogLevel
  readonly maxRequestBodyBytes: number
  /** What calls in flight may hold in the memory of one worker, and those of one user of it. */
  readonly memoryInFlight: MemoryLimits
  /** The addresses of external services. */
  readonly serviceUrls: ServiceUrls
  /** The environment names a proxy for all outgoing requests. */
  readonly usesProxy: boolean
  /** Timeout for establishing a connection to an upstream. */
  readonly connectTimeoutMs: number
  /** Timeout for the beginning of a stream. */
  readonly firstByteTimeoutMs: number
  readonly firstByteTimeoutWholeMs: number
  /** Timeout between two reads of a stream. */
  readonly streamIdleTimeoutMs: number
  /** Timeout for a whole call with all its attempts. */
  readonly requestTimeoutMs: number
  /** How long an upstream is read for its usage after the client left, where a channel drains. */
  readonly drainTimeoutMs: number
  /** After SIGTERM the port stays open this long, so that load balancers notice that the gateway is not ready. */
  readonly shutdownDelayMs: number
  readonly shutdownTimeoutMs: number
  readonly durability: 'process' | 'power'
  /** Null: no traces, and none of their code is loaded. */
  readonly traces: TraceSettings | null
}

/** Each without a trailing slash; the defaults are only changed by tests and closed networks. */
export interface ServiceUrls {
  readonly turnstile: string
  /** Origin of its button's script. */
  readonly telegram: string
  readonly github: string
  readonly githubApi: string
  readonly linuxdo: string
  /** Origin of its API. */
  readonly stripe: string
}

/** Where traces are sent and which calls are traced. The names and meanings of the variables are OpenTelemetry's. */
export interface TraceSettings {
  /** The collector's address for traces. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampler: (typeof samplers)[number]
  /** The share of new traces, from 0 to 1, for the samplers that use one. */
  readonly share: number
  /** Between two requests to the collector. */
  readonly intervalMs: number
  /** The trace is propagated to upstreams. */
  readonly goesUpstream: boolean
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const megabyte = 1024 * 1024

/** Every invalid value of the environment, a sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'))
  }
}

const seconds = (fallback: number) => wholeNumber(1, 86_400, 'seconds').default(fallback)

/** Created on demand: it is needed once. */
const environmentSchema = () =>
  z.object({
    HOST: z
      .string()
      .refine((host) => host === 'localhost' || ipaddr.isValid(host), 'must be an IP address or localhost')
      .default('127.0.0.1'),
    PORT: wholeNumber(0, 65_535).default(3000),
    DATA_DIR: z.string().default(defaultDataDir),
    DATABASE_URL: url(['postgres:', 'postgresql:'], encodedPassword).refine(hasKnownTlsMode, tlsModes),
    DATABASE_WAIT: wholeNumber(0, 3600, 'seconds').default(30),
    CLICKHOUSE_URL: url(['http:', 'https:'], encodedPassword),
    REDIS_URL: url(['redis:', 'rediss:'], encodedPassword),
    SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
    PREVIOUS_SECRET_KEY: z.string().default(''),
    WORKERS: z
      .string()
      .transform((text) => (text === 'auto' ? String(navigator.hardwareConcurrency) : text))
      .pipe(wholeNumber(1, 256, '', ', or auto'))
      .default(1),
    TRUSTED_PROXIES: ranges(),
    OUTBOUND_RANGES: ranges(),
    REQUIRE_SETUP_CODE: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
    METRICS_TOKEN: z.string().default(''),
    LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
    MAX_REQUEST_BODY_MB: wholeNumber(1, 1024, 'megabytes').default(32),
    MEMORY_IN_FLIGHT_MB: wholeNumber(16, 1_048_576, 'megabytes').optional(),
    MEMORY_IN_FLIGHT_PER_USER: wholeNumber(1, 100, 'percent').default(50),
    TURNSTILE_URL: serviceUrl('https://challenges.cloudflare.com'),
    TELEGRAM_URL: serviceUrl('https://telegram.org'),
    GITHUB_URL: serviceUrl('https://github.com'),
    GITHUB_API_URL: serviceUrl('https://api.github.com'),
    LINUXDO_URL: serviceUrl('https://connect.linux.do'),
    STRIPE_URL: serviceUrl('https://api.stripe.com'),
    HTTP_PROXY: z.string().default(''),
    HTTPS_PROXY: z.string().default(''),
    http_proxy: z.string().default(''),
    https_proxy: z.string().default(''),
    CONNECT_TIMEOUT: seconds(10),
    FIRST_BYTE_TIMEOUT: seconds(channelNumbers.first_byte_timeout.otherwise),
    FIRST_BYTE_TIMEOUT_WHOLE: seconds(channelNumbers.first_byte_timeout_whole.otherwise),
    STREAM_IDLE_TIMEOUT: seconds(120),
    REQUEST_TIMEOUT: seconds(600),
    DRAIN_TIMEOUT: seconds(60),
    SHUTDOWN_DELAY: wholeNumber(0, 3600, 'seconds').default(0),
    SHUTDOWN_TIMEOUT: seconds(30),
    DURABILITY: z.enum(['process', 'power'], { error: 'must be process or power' }).default('process'),
    OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']),
    OTEL_EXPORTER_OTLP_HEADERS: z
      .string()
      .transform(headerPairs)
      .refine((pairs) => pairs.every(isHeader), 'must be a list of headers, as authorization=Basic%20abc,x-tenant=a')
      .default([]),
    OTEL_SERVICE_NAME: z.string().default('tollgate'),
    OTEL_TRACES_SAMPLER: z
      .enum(samplers, { error: `must be one of ${samplers.join(', ')}` })
      .default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a share from 0 to 1, as 0.1')
      .transform(Number)
      .default(1),
    OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1, 600_000, 'milliseconds').default(5000),
    TRACE_UPSTREAM: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  })

/** Variables whose value may be in a file instead, as Docker and Kubernetes hand out secrets. */
const secretVariables = [
  'SECRET_KEY',
  'PREVIOUS_SECRET_KEY',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'REDIS_URL',
  'METRICS_TOKEN',
] as const
const fileSuffix = '_FILE'

/** Returns the names of all variables. */
export const variableNames = (): string[] => [
  ...Object.keys(environmentSchema().shape),
  ...secretVariables.map((name) => name + fileSuffix),
]

/** Returns the secrets in the files that the environment names. @throws ConfigError for one that cannot be read, or is also given directly. */
function secretsFromFiles(set: Readonly<Record<string, string>>): Record<string, string> {
  const faults: string[] = []
  const secrets = secretVariables.flatMap((name): [string, string][] => {
    const variable = name + fileSuffix
    const path = set[variable]
    if (path === undefined) return []
    if (set[name] !== undefined) faults.push(`${name} and ${variable} are both set: remove one of them.`)
    try {
      return [[name, readFileSync(path, 'utf8').trim()]]
    } catch (error) {
      faults.push(`${variable} names a file that cannot be read: ${messageOf(error)}.`)
      return []
    }
  })
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.fromEntries(secrets)
}

/** Returns what is set; an empty value counts as unset. */
const onlySet = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  )

/**
 * Reads and checks the environment, for a process that may have so much memory; an empty value counts as unset.
 * @throws ConfigError naming every invalid value.
 */
export function readConfig(environment: Record<string, string | undefined>, memoryBytes = memoryLimit()): Config {
  const set = onlySet(environment)
  const result = environmentSchema().safeParse({ ...set, ...onlySet(secretsFromFiles(set)) })
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
    databaseWaitMs: env.DATABASE_WAIT * 1000,
    clickHouseUrl: env.CLICKHOUSE_URL,
    redisUrl: env.REDIS_URL,
    requireSetupCode: env.REQUIRE_SETUP_CODE === 'true',
    metricsToken: env.METRICS_TOKEN,
    secretKey: env.SECRET_KEY ?? '',
    previousSecretKey: env.PREVIOUS_SECRET_KEY,
    workers: env.WORKERS,
    outboundRanges: env.OUTBOUND_RANGES,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    maxRequestBodyBytes: env.MAX_REQUEST_BODY_MB * megabyte,
    memoryInFlight: memoryInFlight(env, memoryBytes),
    serviceUrls: {
      turnstile: env.TURNSTILE_URL,
      telegram: env.TELEGRAM_URL,
      github: env.GITHUB_URL,
      githubApi: env.GITHUB_API_URL,
      linuxdo: env.LINUXDO_URL,
      stripe: env.STRIPE_URL,
    },
    usesProxy: [env.HTTP_PROXY, env.HTTPS_PROXY, env.http_proxy, env.https_proxy].some(Boolean),
    connectTimeoutMs: env.CONNECT_TIMEOUT * 1000,
    firstByteTimeoutMs: env.FIRST_BYTE_TIMEOUT * 1000,
    firstByteTimeoutWholeMs: env.FIRST_BYTE_TIMEOUT_WHOLE * 1000,
    streamIdleTimeoutMs: env.STREAM_IDLE_TIMEOUT * 1000,
    requestTimeoutMs: env.REQUEST_TIMEOUT * 1000,
    drainTimeoutMs: env.DRAIN_TIMEOUT * 1000,
    shutdownDelayMs: env.SHUTDOWN_DELAY * 1000,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT * 1000,
    durability: env.DURABILITY,
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT === '' ? null : traceSettings(env),
  }
}

/** The share of the memory that the workers have together. */
const memoryShare = 0.4

/** A container's limit counts, where it is below the memory of the machine. */
const memoryLimit = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem())

function memoryInFlight(env: z.output<ReturnType<typeof environmentSchema>>, memoryBytes: number): MemoryLimits {
  const { MEMORY_IN_FLIGHT_MB: limitMb, MEMORY_IN_FLIGHT_PER_USER: percent, WORKERS: workers } = env
  const total = limitMb === undefined ? Math.floor((memoryBytes * memoryShare) / workers) : limitMb * megabyte
  return { total, ofUser: Math.floor((total * percent) / 100) }
}

const traceSettings = (env: z.output<ReturnType<typeof environmentSchema>>): TraceSettings => ({
  url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
  headers: Object.fromEntries(env.OTEL_EXPORTER_OTLP_HEADERS),
  serviceName: env.OTEL_SERVICE_NAME,
  sampler: env.OTEL_TRACES_SAMPLER,
  share: env.OTEL_TRACES_SAMPLER_ARG,
  intervalMs: env.OTEL_BSP_SCHEDULE_DELAY,
  goesUpstream: env.TRACE_UPSTREAM === 'true',
})

type HeaderPair = readonly [name: string, value: string]

/** Returns names and values with their percent escapes decoded. */
function headerPairs(text: string): HeaderPair[] {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), decodePercent(value.join('=').trim())]
  })
}

/** Returns an empty string, which is not a header's value, where the escapes are broken. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const isHeader = ([name, value]: HeaderPair): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]+$/.test(value)

function wholeNumber(lowest: number, highest: number, unit = '', alternative = '') {
  const error = `must be a whole number${unit && ` of ${unit}`} from ${lowest} to ${highest}${alternative}`
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(lowest, error).max(highest, error))
}

function url(protocols: readonly string[], condition = '') {
  const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ')
  const error = `must be a URL that begins with ${beginnings}${condition}`
  return z
    .string()
    .refine(
      (text) => text === '' || (URL.canParse(text) && protocols.includes(new URL(text).protocol) && !hasStrayAt(text)),
      { error },
    )
    .default('')
}

const serviceUrl = (address: string) =>
  url(['http:', 'https:']).transform((text) => (text === '' ? address : text.replace(/(?<!\/)\/+$/, '')))

const encodedPassword =
  ', with the special characters of its password percent-encoded (@ as %40, / as %2F, # as %23, ? as %3F)'

const tlsModes = 'must have an sslmode of disable, require, verify-ca (with sslrootcert) or verify-full'

/** `prefer` and `allow` would hide that a connection is not encrypted. */
function hasKnownTlsMode(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { searchParams } = new URL(text)
  const mode = searchParams.get('sslmode')
  if (mode === 'verify-ca') return searchParams.has('sslrootcert')
  return mode === null || ['disable', 'require', 'verify-full'].includes(mode)
}

/** An @ after the host: a character of the password was taken for the end of it. */
function hasStrayAt(text: string): boolean {
  const { pathname, hash, search, username } = new URL(text)
  return `${pathname}${hash}`.includes('@') || (username === '' && search.includes('@'))
}

const ranges = () =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((range) => range.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every(isRange), 'must be a list of addresses or CIDR ranges, as 10.0.0.0/8,::1/128')
    .default([])

function isRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
}
