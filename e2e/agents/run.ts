import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { upstreams } from '../matrix/matrix-world'
import { ModeTable } from '../matrix/mode-table'
import { anAgentWorld } from './agent-world'
import { fleet } from './fleet'
import { install } from './install'
import { tryAgent, type Aspect } from './try-agent'

/**
 * Installs today's coding agents into a throw-away folder and drives each through a gateway over every upstream dialect. With words: those
 * whose name contains one. `--folder` keeps what is installed there for the next run; `--over` limits the upstream dialects.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, over: { type: 'string' }, verbose: { type: 'boolean' } },
})
const isChosen = (name: string) =>
  positionals.length === 0 || positionals.some((word) => name.toLowerCase().includes(word.toLowerCase()))

const isWhole = positionals.length === 0 && values.over === undefined
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'tollgate-agents-'))
const versions = new Map<string, string>()
const skipped: string[] = []
const found: { readonly agent: string; readonly dialect: string; readonly passed: readonly Aspect[] }[] = []
let failures = 0

await using world = await anAgentWorld()
for (const agent of fleet.filter(({ name }) => isChosen(name))) {
  const installed = await install(agent.package, folder).catch((error: Error) => error)
  if (installed instanceof Error) {
    skipped.push(`${agent.name}: ${installed.message}`)
    continue
  }
  versions.set(agent.package.name, installed.version)
  for (const upstream of upstreams.filter(({ dialect }) => dialect.includes(values.over ?? ''))) {
    const { dialect, model } = upstream
    const place = { url: world.gateway.url, key: world.key, model }
    const { program } = installed
    const { passed, problems } = await tryAgent({ agent, program, simulator: world.simulator, dialect, place })
    found.push({ agent: agent.name, dialect, passed })
    console.log(`${agent.name} ${installed.version} over ${dialect}: ${passed.join(' ') || 'nothing'}`)
    for (const problem of problems) console.log(`  ${problem.replaceAll('\n', '\n  ')}`)
    if (problems.length > 0) failures += 1
  }
}
if (isWhole && skipped.length === 0) await keepTable()
for (const skip of skipped) console.log(`Skipped: ${skip}`)
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
process.exitCode = failures === 0 ? 0 : 1

/** Writes the part of the page with UPDATE_DOCS set; otherwise checks that its rows say what was found. */
async function keepTable(): Promise<void> {
  const installed = [...versions].map(([name, version]) => `${name} ${version}`).join(', ')
  const table = new ModeTable({
    heading: '# Agents',
    intro: [
      'Coding agents, started without a terminal, through a gateway over each upstream dialect: calls of tools and their results (t), of an MCP server where the',
      'agent has them, reasoning that goes back to its model in the course of a turn (r), and a second turn of the conversation over three accounts of the vendor (2).',
      'aider calls no tools: its model edits a file. `bun run test:agents` installs them and tries it.',
      `The last run had ${installed}.`,
    ].join('\n'),
    columns: upstreams.map(({ dialect }) => dialect),
  })
  for (const { agent, dialect, passed } of found) for (const aspect of passed) table.pass(agent, dialect, aspect)
  await table.keep()
}
