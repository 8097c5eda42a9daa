import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { upstreams } from '../matrix/matrix-world'
import { metricOf } from '../metric'
import { ModeTable } from '../matrix/mode-table'
import { anAgentWorld } from './agent-world'
import type { Finding } from './finding'
import { fleet } from './fleet'
import { frameworks } from './frameworks'
import { tryFramework } from './frameworks/try-framework'
import { install, programIn, type Installed, type Package } from './install'
import { lineClients, packageOf, tryLines } from './lines'
import { tryAgent } from './try-agent'

/**
 * Installs today's coding agents, SDKs and frameworks into a throw-away folder and drives each through a gateway over every upstream
 * dialect. With words: those whose name contains one, or all that are `agents`, `frameworks` or `lines`: programs of the page for connecting,
 * as it has them. `--folder` keeps what is installed there for the next run; `--over` limits the upstream dialects.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, over: { type: 'string' }, verbose: { type: 'boolean' } },
})

/** Handshakes of WebSockets for responses. */
const openedSockets = 'tollgate_calls_total{dialect="openai-responses",status="1xx"}'

type Upstream = (typeof upstreams)[number]

/** What is tried, in one row of the table of its kind. */
interface Subject {
  readonly kind: Kind
  readonly name: string
  readonly package: Package
  readonly attempt: (installed: Installed, upstream: Upstream) => Promise<Finding>
}

type Kind = keyof typeof tables | 'lines'

/** What the documentation says of them, by kind. */
const tables = {
  agents: {
    heading: '# Agents',
    intro: [
      'Coding agents, started without a terminal, through a gateway over each upstream dialect: calls of tools and their results (t), of an MCP server where the',
      'agent has them, reasoning that goes back to its model in the course of a turn (r), and a second turn of the conversation over three accounts of the vendor (2).',
      'aider calls no tools: its model edits a file. Where r is missing, the agent sends back the text of a thought at most: the seal without which its vendor does not',
      'take it is lost in the agent. `bun run test:agents agents` installs them and tries it.',
    ],
  },
  frameworks: {
    heading: '# SDKs and frameworks',
    intro: [
      'SDKs and frameworks with each of their providers through a gateway over each upstream dialect: whole answers (w), streams (s), a tool that is called and',
      'whose result goes back (t), and objects of a JSON schema (o). Instructor asks for objects alone; DSPy, Haystack, Semantic Kernel, mistral-js and LlamaIndex with',
      'Anthropic’s provider are asked for none. DSPy is not asked for streams.',
      'LiteLLM asks models that it does not take for Google’s for objects in words.',
      '`bun run test:agents frameworks` installs them and tries it.',
    ],
  },
}

await using world = await anAgentWorld()
const { simulator, gateway, key } = world

const subjects: readonly Subject[] = [
  ...fleet.map((agent): Subject => ({
    kind: 'agents',
    name: agent.name,
    package: { from: agent.package.from, names: [agent.package.name] },
    attempt: async (installed, { dialect, model }) => {
      const program = programIn(installed, agent.package)
      const before = await metricOf(gateway, openedSockets)
      const finding = await tryAgent({ agent, program, simulator, dialect, place: { url: gateway.url, key, model } })
      const isOnSocket = (await metricOf(gateway, openedSockets)) > before
      if (isOnSocket === (agent.isOnSocket ?? false)) return finding
      return { passed: [], problems: [...finding.problems, isOnSocket ? 'opens a WebSocket' : 'opens no WebSocket'] }
    },
  })),
  ...frameworks.flatMap((framework) =>
    (framework.variants ?? ['']).map((variant): Subject => ({
      kind: 'frameworks',
      name: variant === '' ? framework.name : `${framework.name}: ${variant}`,
      package: framework.package,
      attempt: (installed, { model }) =>
        tryFramework({ framework, variant, installed, simulator, place: { url: gateway.url, key, model } }),
    })),
  ),
  ...lineClients.map((id): Subject => ({
    kind: 'lines',
    name: `lines of ${id}`,
    package: packageOf(id),
    attempt: (installed, { model }) => tryLines({ id, installed, simulator, place: { url: gateway.url, key, model } }),
  })),
]

/** A word that is a kind chooses that kind alone, whatever else has it in its name. */
const kinds: ReadonlySet<string> = new Set<Kind>(['agents', 'frameworks', 'lines'])

const isChosen = ({ kind, name }: Subject): boolean =>
  positionals.length === 0 ||
  positionals.some((word) => (kinds.has(word) ? word === kind : name.toLowerCase().includes(word.toLowerCase())))

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'tollgate-agents-'))
const skipped = new Map<string, string>()
let failures = 0

for (const kind of ['agents', 'frameworks', 'lines'] as const) await tryKind(kind)
for (const [name, reason] of skipped) console.log(`Skipped: ${name}: ${reason}`)
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1

interface Row {
  readonly name: string
  readonly dialect: string
  readonly passed: readonly string[]
}

async function tryKind(kind: Kind): Promise<void> {
  const chosen = subjects.filter((subject) => subject.kind === kind && isChosen(subject))
  const versions = new Map<string, string>()
  const rows: Row[] = []
  for (const subject of chosen) {
    const installed = await install(subject.package, folder).catch((error: Error) => error)
    if (installed instanceof Error) {
      skipped.set(subject.name, installed.message)
      continue
    }
    for (const [name, version] of installed.versions) versions.set(name, version)
    rows.push(...(await tryEverywhere(subject, installed)))
    // A run of all takes long: what it found counts although it is stopped.
    if (values.over === undefined && kind !== 'lines') await keepTable(kind, rows, versions)
  }
}

async function tryEverywhere(subject: Subject, installed: Installed): Promise<Row[]> {
  const rows: Row[] = []
  for (const upstream of upstreams.filter(({ dialect }) => dialect.includes(values.over ?? ''))) {
    const { passed, problems } = await subject.attempt(installed, upstream)
    rows.push({ name: subject.name, dialect: upstream.dialect, passed })
    console.log(`${subject.name} over ${upstream.dialect}: ${passed.join(' ') || 'nothing'}`)
    for (const problem of problems) console.log(`  ${problem.replaceAll('\n', '\n  ')}`)
    if (problems.length > 0) failures += 1
  }
  return rows
}

/** Writes the part of the page with UPDATE_DOCS set; otherwise checks that its rows say what was found. Rows that were not tried stay. */
async function keepTable(kind: keyof typeof tables, rows: readonly Row[], versions: ReadonlyMap<string, string>) {
  const { heading, intro } = tables[kind]
  const columns = upstreams.map(({ dialect }) => dialect)
  const written = await new ModeTable({ heading, intro: '', columns }).readPart()
  const all = new Map([...versionsIn(written), ...versions])
  const last = `The last runs had ${[...all].map(([name, version]) => `${name} ${version}`).join(', ')}.`
  const table = new ModeTable({ heading, intro: [...intro, last].join('\n'), columns })
  for (const { name } of subjects.filter((subject) => subject.kind === kind)) {
    const tried = rows.filter((row) => row.name === name)
    for (const { dialect, passed } of tried) for (const aspect of passed) table.pass(name, dialect, aspect)
    if (tried.length === 0) table.passAs(name, written)
  }
  await table.keep()
}

function versionsIn(written: string): [name: string, version: string][] {
  const [, summary = ''] = /^The last runs? had (.*)\.$/m.exec(written) ?? []
  return summary.split(', ').flatMap((one) => {
    const at = one.lastIndexOf(' ')
    return at < 0 ? [] : [[one.slice(0, at), one.slice(at + 1)]]
  })
}
