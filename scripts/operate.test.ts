import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../gateway/src/platform/config/config'
import { at, entriesOf } from './parsed-values'

/** Checks what operators copy: both compose files, the proxies’ settings, and the units and jobs that docs/operate.md prints. */
const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/operate.md')
const unit = iniOf(read('deploy/systemd/tollgate.service'))
const standard = readConfig({})

/** Open sockets and files of a worker under load. */
const enoughFiles = 65_536

test.each(['compose.yaml', 'deploy/compose/compose.yaml'])(
  '%s bounds every log, publishes on loopback alone and lets gateways open enough files',
  (path) => {
    const services = entriesOf(at(Bun.YAML.parse(read(path)), 'services'))
    expect(services.length).toBeGreaterThan(0)
    const limits = { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d+$/) }
    for (const [name, service] of services) {
      expect(at(service, 'logging'), name).toEqual({ driver: 'json-file', options: limits })
      const isServing = at(service, 'build') !== undefined || name === 'nginx'
      if (isServing) expect(at(service, 'ulimits', 'nofile'), name).toBeGreaterThanOrEqual(enoughFiles)
    }
    const ports = services.flatMap(([, service]) => entriesOf(at(service, 'ports')).map(([, port]) => port))
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+:\d+$/)])
  },
)

test('an update of the two nodes replaces one after the other, each with the release that was built', () => {
  const pair = Bun.YAML.parse(read('deploy/compose/compose.yaml'))
  const gateways = entriesOf(at(pair, 'services')).flatMap(([name, service]) => (at(service, 'build') ? [name] : []))
  const compose = 'docker compose -f deploy/compose/compose.yaml'
  const lines = blocks('sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith(`${compose} `))
  const updates = lines.filter((line) => / (?:build|up -d) /.test(line))
  expect(updates).toEqual([
    `${compose} build ${gateways[0]}`,
    ...gateways.map((name) => `${compose} up -d --no-deps --wait ${name}`),
  ])
  for (const name of gateways) expect(at(pair, 'services', name, 'image'), name).toContain('${TOLLGATE_TAG:-')
  // What `--wait` waits for.
  expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m)
})

describe('the unit', () => {
  test('distrusts loopback, where its proxy is, and reads the settings of the page', () => {
    const environment = unit.get('Environment') ?? ''
    expect(environment).toContain('TRUSTED_PROXIES=127.0.0.0/8,::1')
    expect(environment).toContain('HOST=127.0.0.1')
    expect(environment).toContain('REQUIRE_SETUP_CODE=true')
    expect(unit.get('EnvironmentFile')).toBe('-/etc/tollgate/tollgate.env')
    expect(unit.get('UMask')).toBe('0077')
    expect(Number(unit.get('LimitNOFILE'))).toBeGreaterThanOrEqual(enoughFiles)
  })

  test('the unit is installed by the commands that the page and its own comment print, with its user, settings and folder', () => {
    const printed = (page + read('deploy/systemd/tollgate.service').replaceAll(/^# */gm, ''))
      .replaceAll(/ \\\n\s*/g, ' ')
      .split('\n')
      .filter((line) => line.startsWith('systemd-run'))
    expect(printed).toHaveLength(4)
    for (const line of printed) {
      expect(line).toContain(` -p User=${unit.get('User')} `)
      expect(line).toContain(` -p EnvironmentFile=${unit.get('EnvironmentFile')} `)
      expect(line).toContain(` -E DATA_DIR=${unit.get('WorkingDirectory')} `)
      expect(line).toContain(` ${unit.get('ExecStart')} `)
    }
  })

  test('the timer makes backups as the service’s user, from its folder, into a folder that systemd creates', () => {
    const [backup = new Map<string, string>(), timer = new Map<string, string>()] = blocks('ini')
      .join('\n')
      .split('# tollgate-backup.timer')
      .map(iniOf)
    for (const name of ['User', 'EnvironmentFile', 'UMask']) expect(backup.get(name)).toBe(unit.get(name) ?? '')
    for (const printed of [backup, timer]) expect(printed.get('Description')).toContain('Tollgate')
    expect(
      blocks('ini')
        .join('\n')
        .match(/^\[Unit\]$/gm),
    ).toHaveLength(2)
    expect(backup.get('Type')).toBe('oneshot')
    expect(backup.get('Environment')).toBe(`DATA_DIR=${unit.get('WorkingDirectory')}`)
    const folder = `/var/lib/${backup.get('StateDirectory')}`
    // The line that copies it to another machine is there to be enabled.
    expect(blocks('ini').join('\n')).toMatch(
      new RegExp(`^# to another machine.*ExecStartPost=.* ${folder}/ \\S+:`, 'm'),
    )
    // In a unit a percent sign is written twice.
    expect(backup.get('ExecStart')).toBe(
      `/bin/sh -c 'exec ${unit.get('ExecStart')} backup "${folder}/$(date +%%F-%%H%%M)"'`,
    )
    expect(backup.get('ExecStartPost')).toStartWith(`/usr/bin/find ${folder} -mindepth 1 -maxdepth 1 -mtime +`)
    expect(timer.get('OnCalendar')).toMatch(/^\*-\*-\* \d\d:\d\d$/)
    expect(timer.get('Persistent')).toBe('true')
    expect(timer.get('WantedBy')).toBe('timers.target')
  })
})

test('containers ask everyone for the set-up code: image, compose file and chart', () => {
  expect(read('Dockerfile')).toMatch(/^ENV .*\bREQUIRE_SETUP_CODE=true$/m)
  const pair = Bun.YAML.parse(read('deploy/compose/compose.yaml'))
  for (const name of ['gateway-a', 'gateway-b'])
    expect(at(pair, 'services', name, 'environment', 'REQUIRE_SETUP_CODE'), name).toBe('true')
  const values = Bun.YAML.parse(read('deploy/helm/tollgate/values.yaml'))
  expect(at(values, 'config', 'REQUIRE_SETUP_CODE')).toBe('true')
})

test('the CronJob runs daily, one at a time, and asks every pod before the database', () => {
  const job: unknown = Bun.YAML.parse(blocks('yaml').join('\n'))
  const pod = at(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec')
  expect(job).toMatchObject({ apiVersion: 'batch/v1', kind: 'CronJob', spec: { concurrencyPolicy: 'Forbid' } })
  expect(at(job, 'spec', 'schedule')).toMatch(/^[0-5]?\d (?:1?\d|2[0-3]) \* \* \*$/)
  expect(pod).toEqual({
    serviceAccountName: expect.any(String),
    restartPolicy: 'Never',
    containers: [
      {
        name: 'backup',
        image: expect.any(String),
        envFrom: [{ secretRef: { name: 'tollgate' } }],
        command: ['sh', '-ec', expect.any(String)],
        volumeMounts: [{ name: 'backup', mountPath: '/backup' }],
      },
    ],
    volumes: [{ name: 'backup', persistentVolumeClaim: { claimName: expect.any(String) } }],
  })
  const script = String(at(pod, 'containers', '0', 'command', '2'))
  expect(script).toContain('at=/backup/$(date ')
  expect(script.indexOf('tollgate backup /tmp/backup')).toBeGreaterThan(0)
  expect(script.indexOf('pg_dump')).toBeGreaterThan(script.indexOf('tollgate backup /tmp/backup'))
  const syntax = Bun.spawnSync(['sh', '-n', '-c', script])
  expect([syntax.exitCode, syntax.stderr.toString()]).toEqual([0, ''])
})

describe('settings of nginx', () => {
  const pair = directivesOf(read('deploy/compose/nginx.conf'))
  const [one = '', two = ''] = blocks('nginx')
  const http = only(pair, 'http').inner
  const single = directivesOf(one)

  test.each([
    ['before one gateway', single, '$remote_addr', '$scheme'],
    ['before two gateways', http, '$proxy_add_x_forwarded_for', '$client_scheme'],
  ])('%s name host, client and scheme, buffer nothing and never send a call twice', (_where, from, client, scheme) => {
    const server = only(from, 'server').inner
    const location = only(server, 'location', '/').inner
    expect(headersOf(location)).toMatchObject({
      Host: '$host',
      'X-Real-IP': '$remote_addr',
      'X-Forwarded-For': client,
      'X-Forwarded-Proto': scheme,
    })
    const argumentsOf = (name: string) => only(location, name).words.join(' ')
    expect(argumentsOf('proxy_http_version')).toBe('1.1')
    expect(argumentsOf('proxy_buffering')).toBe('off')
    expect(argumentsOf('proxy_request_buffering')).toBe('off')
    expect(['off', 'error']).toContain(argumentsOf('proxy_next_upstream'))
    for (const name of ['proxy_read_timeout', 'proxy_send_timeout']) {
      expect(Number.parseInt(argumentsOf(name), 10) * 1000).toBeGreaterThan(standard.requestTimeoutMs)
    }
    const size = only(server, 'client_max_body_size').words.join(' ')
    expect(Number.parseInt(size, 10) * 1024 * 1024).toBeGreaterThan(standard.maxRequestBodyBytes)
    expect(only(only(server, 'location', '=', '/metrics').inner, 'return').words).toEqual(['404'])
  })

  test('believe a scheme and a client from the balancer alone', () => {
    const scheme = only(http, 'map', '"$is_balancer:$http_x_forwarded_proto"', '$client_scheme')
    expect(scheme.inner.map(({ words }) => words)).toEqual([['$scheme'], ['https']])
    expect(scheme.inner.map(({ name }) => name)).toEqual(['default', "'1:https'"])
    const balancer = only(http, 'geo', '$realip_remote_addr', '$is_balancer')
    expect(balancer.inner).toEqual([{ name: 'default', words: ['0'], inner: [] }])
    const printed = directivesOf(two)
    expect(printed.map(({ name }) => name)).toEqual([
      'geo',
      'map',
      'set_real_ip_from',
      'real_ip_header',
      'real_ip_recursive',
      'proxy_set_header',
    ])
    expect(only(printed, 'geo').words).toEqual(balancer.words)
    expect(only(printed, 'map').words).toEqual(scheme.words)
    expect(headersOf(printed)).toEqual({ 'X-Forwarded-Proto': '$client_scheme' })
  })

  test.each([
    ['before one gateway', single, only(single, 'server').inner],
    ['before two gateways', http, http],
  ])('%s leave the query, which may hold a key, out of the log', (_where, from, logging) => {
    const format = only(from, 'log_format', 'calls').words.join(' ')
    expect(format).toContain('$uri')
    expect(format).not.toMatch(/\$(?:request|request_uri|args|query_string|http_referer)\b/)
    expect(only(logging, 'access_log').words.at(-1)).toBe('calls')
  })
})

test('settings of Caddy flush at once and wait longer than a call takes', () => {
  const text = blocks('').find((block) => block.includes('reverse_proxy')) ?? ''
  const lines = text.split('\n').map((line) => line.trim())
  expect(lines.filter((line) => line.endsWith('{'))).toHaveLength(lines.filter((line) => line === '}').length)
  expect(lines).toContain('reverse_proxy 127.0.0.1:3000 {')
  expect(lines).toContain('flush_interval -1')
  const wait = /response_header_timeout (\d+)s/.exec(text)?.[1]
  expect(Number(wait) * 1000).toBeGreaterThan(standard.requestTimeoutMs)
})

/** The fenced blocks of the page in a language. */
function blocks(language: string): string[] {
  const fences = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  return fences.filter(([, tag]) => tag === language).map(([, , text = '']) => text)
}

/** The settings of a unit by name; the first of a name counts. */
function iniOf(text: string): Map<string, string> {
  const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)]
  return new Map(settings.toReversed().map(([, name = '', value = '']) => [name, value]))
}

interface Directive {
  readonly name: string
  readonly words: readonly string[]
  readonly inner: readonly Directive[]
}

/** @throws Error where a directive is not ended or a block not closed. */
function directivesOf(text: string): Directive[] {
  const tokens = text.replaceAll(/(^|\s)#.*$/gm, '$1').match(/'[^']*'|"[^"]*"|[{};]|[^\s{};]+/g) ?? []
  let at = 0
  const readBlock = (isInner: boolean): Directive[] => {
    const found: Directive[] = []
    let words: string[] = []
    for (;;) {
      const token = tokens[at]
      at += 1
      if (token === undefined || token === '}') {
        if (words.length > 0 || isInner !== (token === '}')) throw new Error(`not ended: ${words.join(' ')}`)
        return found
      }
      if (token !== ';' && token !== '{') {
        words.push(token)
        continue
      }
      const [name = '', ...rest] = words
      found.push({ name, words: rest, inner: token === '{' ? readBlock(true) : [] })
      words = []
    }
  }
  return readBlock(false)
}

/** The one directive of that name whose first words are these. */
function only(directives: readonly Directive[], name: string, ...words: readonly string[]): Directive {
  const found = directives.filter(
    (directive) => directive.name === name && words.every((word, index) => directive.words[index] === word),
  )
  const [first] = found
  if (!first || found.length > 1) throw new Error(`${found.length} of ${name} ${words.join(' ')}`)
  return first
}

const headersOf = (directives: readonly Directive[]) =>
  Object.fromEntries(
    directives.filter(({ name }) => name === 'proxy_set_header').map(({ words: [name, value] }) => [name, value]),
  )
