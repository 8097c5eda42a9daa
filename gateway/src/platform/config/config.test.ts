import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ConfigError, readConfig } from './config'

const sentencesOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences
    throw error
  }
}

const encoded = ', with the special characters of its password percent-encoded (@ as %40, / as %2F, # as %23, ? as %3F)'

describe('readConfig', () => {
  test('workers share the memory for calls in flight, unless it is given for each', () => {
    const one = readConfig({}).memoryInFlight.total
    expect(readConfig({ WORKERS: '4' }).memoryInFlight.total).toBeCloseTo(one / 4, -1)
    const environment = { WORKERS: '4', MEMORY_IN_FLIGHT_MB: '100', MEMORY_IN_FLIGHT_PER_USER: '25' }
    expect(readConfig(environment).memoryInFlight).toEqual({ total: 100 * 1024 * 1024, ofUser: 25 * 1024 * 1024 })
  })

  test('secrets are read from files, without the line break at their end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'))
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const config = readConfig({
      SECRET_KEY_FILE: file('key', `${'k'.repeat(40)}\n`),
      PREVIOUS_SECRET_KEY_FILE: file('previous', 'p'.repeat(40)),
      DATABASE_URL_FILE: file('database', 'postgres://a:b@db/tollgate\r\n'),
      REDIS_URL_FILE: file('redis', 'redis://cache'),
      METRICS_TOKEN_FILE: file('token', 'fake-token\n'),
    })
    const { secretKey, previousSecretKey, databaseUrl, redisUrl, metricsToken } = config
    expect({ secretKey, previousSecretKey, databaseUrl, redisUrl, metricsToken }).toEqual({
      secretKey: 'k'.repeat(40),
      previousSecretKey: 'p'.repeat(40),
      databaseUrl: 'postgres://a:b@db/tollgate',
      redisUrl: 'redis://cache',
      metricsToken: 'fake-token',
    })
    expect(sentencesOf({ SECRET_KEY_FILE: file('short', 'x') })).toEqual([
      'SECRET_KEY must have at least 32 characters.',
    ])
    expect(sentencesOf({ METRICS_TOKEN: 'x', METRICS_TOKEN_FILE: join(folder, 'none') })).toEqual([
      'METRICS_TOKEN and METRICS_TOKEN_FILE are both set: remove one of them.',
      expect.stringMatching(/^METRICS_TOKEN_FILE names a file that cannot be read: ENOENT/),
    ])
    rmSync(folder, { recursive: true })
  })

  test('an empty environment gives the defaults', () => {
    const { memoryInFlight, ...others } = readConfig({ PORT: '', PATH: '/bin' })
    expect(memoryInFlight.ofUser).toBe(Math.floor(memoryInFlight.total / 2))
    expect(others).toEqual({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      databaseUrl: '',
      databaseWaitMs: 30_000,
      clickHouseUrl: '',
      redisUrl: '',
      requireSetupCode: false,
      metricsToken: '',
      secretKey: '',
      previousSecretKey: '',
      workers: 1,
      outboundRanges: [],
      trustedProxies: [],
      logLevel: 'info',
      maxRequestBodyBytes: 32 * 1024 * 1024,
      serviceUrls: {
        turnstile: 'https://challenges.cloudflare.com',
        telegram: 'https://telegram.org',
        github: 'https://github.com',
        githubApi: 'https://api.github.com',
        linuxdo: 'https://connect.linux.do',
        stripe: 'https://api.stripe.com',
      },
      usesProxy: false,
      connectTimeoutMs: 10_000,
      firstByteTimeoutMs: 60_000,
      firstByteTimeoutWholeMs: 300_000,
      streamIdleTimeoutMs: 120_000,
      requestTimeoutMs: 600_000,
      drainTimeoutMs: 60_000,
      shutdownDelayMs: 0,
      shutdownTimeoutMs: 30_000,
      durability: 'process',
      traces: null,
    })
  })

  test('streams and responses in one piece have separate timeouts for their beginning', () => {
    const config = readConfig({ FIRST_BYTE_TIMEOUT: '7', FIRST_BYTE_TIMEOUT_WHOLE: '9' })
    expect([config.firstByteTimeoutMs, config.firstByteTimeoutWholeMs]).toEqual([7_000, 9_000])
  })

  test('variables that are set are read', () => {
    const config = readConfig({ WORKERS: 'auto', TRUSTED_PROXIES: '10.0.0.0/8, ::1', PORT: '080' })
    expect(config.workers).toBe(navigator.hardwareConcurrency)
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1'])
    expect(config.port).toBe(80)
  })

  test.each(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])(
    'a proxy is recognized in either case: %s',
    (name) => {
      expect(readConfig({ [name]: 'http://proxy:8080' }).usesProxy).toBe(true)
    },
  )

  test('traces are configured by the names of OpenTelemetry', () => {
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }).traces).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      serviceName: 'tollgate',
      sampler: 'parentbased_always_on',
      share: 1,
      intervalMs: 5000,
      goesUpstream: false,
    })
    const { traces } = readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-tenant=a',
      OTEL_SERVICE_NAME: 'gate',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      TRACE_UPSTREAM: 'true',
    })
    expect(traces).toEqual({
      url: 'https://collector.example/otlp/v1/traces',
      headers: { authorization: 'Basic YTpi==', 'x-tenant': 'a' },
      serviceName: 'gate',
      sampler: 'traceidratio',
      share: 0.25,
      intervalMs: 100,
      goesUpstream: true,
    })
  })

  test.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that begins with http:// or https://.',
    ],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0d%0ac' },
      'OTEL_EXPORTER_OTLP_HEADERS must be a list of headers, as authorization=Basic%20abc,x-tenant=a.',
    ],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, as 0.1.'],
    [{ TRACE_UPSTREAM: 'yes' }, 'TRACE_UPSTREAM must be true or false.'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '3000x' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ HOST: 'example.com' }, 'HOST must be an IP address or localhost.'],
    [
      { DATABASE_URL: 'mysql://x' },
      `DATABASE_URL must be a URL that begins with postgres:// or postgresql://${encoded}.`,
    ],
    [{ REDIS_URL: 'localhost' }, `REDIS_URL must be a URL that begins with redis:// or rediss://${encoded}.`],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters.'],
    [{ WORKERS: 'many' }, 'WORKERS must be a whole number from 1 to 256, or auto.'],
    [{ WORKERS: '0' }, 'WORKERS must be a whole number from 1 to 256, or auto.'],
    [
      { TRUSTED_PROXIES: 'proxy' },
      'TRUSTED_PROXIES must be a list of addresses or CIDR ranges, as 10.0.0.0/8,::1/128.',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.'],
    [{ REQUEST_TIMEOUT: '-1' }, 'REQUEST_TIMEOUT must be a whole number of seconds from 1 to 86400.'],
    [{ DURABILITY: 'maybe' }, 'DURABILITY must be process or power.'],
    [{ PORT: '0', WORKERS: '2' }, 'PORT must be set when there are several WORKERS.'],
  ])('%j is refused with a sentence', (environment, sentence) => {
    expect(sentencesOf(environment as Record<string, string>)).toEqual([sentence])
  })

  test('all invalid values are named at once', () => {
    expect(sentencesOf({ PORT: 'x', DURABILITY: 'y' })).toHaveLength(2)
  })
})
