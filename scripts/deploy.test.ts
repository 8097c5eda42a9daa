import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../gateway/src/platform/config/config'
import { registerGauges } from '../gateway/src/app/process/gauges'
import { supervisorSeries } from '../gateway/src/platform/telemetry/metrics/process-series'
import { createWorld, type World } from '../gateway/test/world'
import { at, entriesOf } from './parsed-values'

/** What deploy/ says of the gateway is held against the gateway: metrics, settings, the time a stop takes. */
const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const yaml = (path: string): unknown => Bun.YAML.parse(read(path))

const chart = 'deploy/helm/tollgate'
const templates = readdirSync(join(root, chart, 'templates')).map((name) => ({
  name,
  text: read(`${chart}/templates/${name}`),
}))
const values = yaml(`${chart}/values.yaml`)
const unit = read('deploy/systemd/tollgate.service')

/** After SHUTDOWN_TIMEOUT: 2 s for periodic work, 2 for reservations, 10 for charges, 10 for log rows. */
const settleSeconds = 24

describe('dashboard and alerts', () => {
  const files: Record<string, unknown> = {
    'deploy/grafana/tollgate.json': JSON.parse(read('deploy/grafana/tollgate.json')),
    'deploy/prometheus/alerts.yml': yaml('deploy/prometheus/alerts.yml'),
  }
  let world: World
  /** The labels of each series that a scrape can hold. */
  const known = new Map<string, ReadonlySet<string>>()

  beforeAll(async () => {
    world = await createWorld()
    registerGauges(world.ctx, {
      inFlight: { count: 0, memory: { used: 0 } },
      readiness: { isReady: true },
      limiter: { isAlone: false },
    })
    const ofEvery = ['job', 'instance']
    known.set('up', new Set(ofEvery))
    for (const { name, suffixes, labelNames } of exportedSeries()) {
      for (const suffix of suffixes) {
        const own = suffix === '_bucket' ? ['le'] : []
        known.set(name + suffix, new Set([...ofEvery, ...labelNames, ...own]))
      }
    }
  })
  afterAll(() => world[Symbol.asyncDispose]())
  const exportedSeries = () => [
    ...world.ctx.metrics.series,
    ...supervisorSeries(() => ({ target: 1, alive: 1, restarts: 0 })),
  ]

  for (const [path, content] of Object.entries(files)) {
    test(`${path} asks only for what the gateway tells`, () => {
      const expressions = [...stringsAt(content, 'expr'), ...stringsAt(content, 'query')]
      expect(expressions.length).toBeGreaterThan(10)
      for (const expression of expressions) {
        const names = expression.match(/\b(?:(?:tollgate|process)_\w+|up)\b/g) ?? []
        for (const name of names) expect([...known.keys()], expression).toContain(name)
        for (const [, name = '', selector = ''] of expression.matchAll(/\b(\w+)\{([^}]*)\}/g)) {
          const labels = [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label)
          expect([...(known.get(name) ?? [])], expression).toEqual(expect.arrayContaining(labels))
        }
        for (const [, list = ''] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
          const possible = new Set(names.flatMap((name) => [...(known.get(name) ?? [])]))
          expect([...possible], expression).toEqual(expect.arrayContaining(list.split(/,\s*/)))
        }
      }
    })
  }

  test('every metric is on the dashboard', () => {
    const drawn = stringsAt(files['deploy/grafana/tollgate.json'], 'expr').join(' ')
    for (const { name } of exportedSeries()) expect(drawn).toContain(name)
  })

  test('no two panels and no two alerts share a name', () => {
    for (const key of ['title', 'alert']) {
      const names = Object.values(files).flatMap((content) => stringsAt(content, key))
      expect(names.length).toBeGreaterThan(0)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

describe('settings', () => {
  const source = read('gateway/src/platform/config/config.ts')
  const schema = source.slice(source.indexOf('z.object({'), source.indexOf('\n  })'))
  const known = [...schema.matchAll(/^ {4}([A-Z][A-Z_]*): /gm)].map(([, name]) => name)
  const pair = textsOf(at(yaml('deploy/compose/compose.yaml'), 'services', 'gateway-a', 'environment'))
  const secrets = { SECRET_KEY: 'x'.repeat(32), POSTGRES_PASSWORD: 'x' }
  const deployments: Record<string, Record<string, string>> = {
    Dockerfile: assignments(/^ENV (.*)$/gm, read('Dockerfile')),
    compose: filledIn(pair, secrets),
    chart: { ...textsOf(at(values, 'config')), ...withoutEmpty(textsOf(at(values, 'secret'))) },
    unit: assignments(/^Environment=(.*)$/gm, unit),
  }

  for (const [name, environment] of Object.entries(deployments)) {
    test(`variables of ${name} are known to the gateway and valid`, () => {
      expect(Object.keys(environment).length).toBeGreaterThan(2)
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
      expect(() => readConfig(environment)).not.toThrow()
    })
  }

  test('a stop has time to end calls and to settle them', () => {
    const seconds = (text: unknown) => Number.parseInt(String(text), 10)
    const ofPair = seconds(at(yaml('deploy/compose/compose.yaml'), 'services', 'gateway-a', 'stop_grace_period'))
    expect(ofPair).toBeGreaterThan(Number(pair['SHUTDOWN_TIMEOUT']) + settleSeconds)
    const ofOne = seconds(at(yaml('compose.yaml'), 'services', 'gateway', 'stop_grace_period'))
    const standard = readConfig({}).shutdownTimeoutMs / 1000
    expect(ofOne).toBeGreaterThan(standard + settleSeconds)
    const ofUnit = seconds(/^TimeoutStopSec=(.*)$/m.exec(unit)?.[1])
    expect(ofUnit).toBeGreaterThan(Number(deployments['unit']?.['SHUTDOWN_TIMEOUT']) + settleSeconds)
    const grace = /terminationGracePeriodSeconds: (.*)/.exec(templates.map(({ text }) => text).join('\n'))?.[1]
    expect(grace).toBe(
      `{{ add (int .Values.lameDuckSeconds) (int .Values.config.SHUTDOWN_TIMEOUT) ${settleSeconds + 1} }}`,
    )
  })
})

describe('the chart', () => {
  const defined = templates.flatMap(({ text }) => [...text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name))

  test('the chart has a valid description', () => {
    expect(yaml(`${chart}/Chart.yaml`)).toMatchObject({ apiVersion: 'v2', name: 'tollgate', type: 'application' })
  })

  test('chart, program and change log have the same release', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(yaml(`${chart}/Chart.yaml`)).toMatchObject({ version, appVersion: version })
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`)
  })

  test('the chart has the alerts and the dashboard that are checked above', () => {
    for (const [own, origin] of [
      ['alerts.yml', 'deploy/prometheus/alerts.yml'],
      ['dashboard.json', 'deploy/grafana/tollgate.json'],
    ] as const) {
      expect(read(`${chart}/files/${own}`)).toBe(read(origin))
      expect(templates.some(({ text }) => text.includes(`.Files.Get "files/${own}"`))).toBe(true)
    }
    // Its only key is that of a PrometheusRule's spec.
    expect(entriesOf(yaml('deploy/prometheus/alerts.yml')).map(([key]) => key)).toEqual(['groups'])
    for (const switched of ['prometheusRule', 'dashboard']) expect(at(values, switched, 'enabled')).toBe(false)
  })

  test('a pod has memory for the largest body of each of three users, and for the process itself', () => {
    const limit = bytesOf(String(at(values, 'resources', 'limits', 'memory')))
    const { memoryInFlight, maxRequestBodyBytes } = readConfig(textsOf(at(values, 'config')), limit)
    // A body counts twice: its bytes, and what is parsed of them.
    expect(memoryInFlight.ofUser).toBeGreaterThan(2 * maxRequestBodyBytes)
    expect(memoryInFlight.total).toBeGreaterThan(3 * 2 * maxRequestBodyBytes)
    expect(limit - memoryInFlight.total).toBeGreaterThan(512 * 1024 ** 2)
  })

  for (const { name, text } of templates) {
    test(`${name} uses only values and templates that exist, and closes what it opens`, () => {
      for (const [, path = ''] of text.matchAll(/\.Values((?:\.\w+)+)/g)) {
        expect(at(values, ...path.slice(1).split('.')), path).toBeDefined()
      }
      for (const [, used] of text.matchAll(/include "([^"]+)"/g)) expect(defined).toContain(used)
      const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
      expect(count(/\{\{-? *(?:if|with|range|define)\b/g)).toBe(count(/\{\{-? *end\b/g))
    })
  }
})

/** Returns the bytes of a quantity as Kubernetes writes it. */
function bytesOf(quantity: string): number {
  const [, count, unit] = /^(\d+)([MG])i$/.exec(quantity) ?? []
  return Number(count) * (unit === 'G' ? 1024 ** 3 : 1024 ** 2)
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(entriesOf(value).map(([name, text]) => [name, String(text)]))

const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))

/** Every text under a key, however deep. */
function stringsAt(value: unknown, key: string): string[] {
  return entriesOf(value).flatMap(([name, inner]) =>
    name === key && typeof inner === 'string' ? [inner] : stringsAt(inner, key),
  )
}

/** `NAME=value NAME=value` of each line that matches. */
function assignments(lines: RegExp, text: string): Record<string, string> {
  const pairs = [...text.matchAll(lines)].flatMap(([, line = '']) => line.split(' '))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/** As compose fills in `${NAME:?why}` and `${NAME:-otherwise}`. */
function filledIn(texts: Record<string, string>, replacements: Record<string, string>): Record<string, string> {
  const fill = (text: string) =>
    text.replaceAll(/\$\{(\w+)(?::[?-]([^}]*))?\}/g, (_, name: string) => replacements[name] ?? '')
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]))
}
