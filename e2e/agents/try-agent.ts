import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { RecordedRequest, Simulator } from '@tollgate/simulator'

import type { UpstreamDialect } from '../matrix/matrix-world'
import type { Agent, AgentPlace } from './agent'
import { closedEnvironment } from './closed-environment'
import type { Finding } from './finding'
import { run, type ProgramRun } from './run-program'
import { colorOf, endOf, note, playModel, promptOf, sealsIn, tickets } from './ticket-upstream'

/** `t`: calls of tools and their results. `r`: reasoning goes back to its model. `2`: a second turn, over several accounts. */
type Aspect = 't' | 'r' | '2'

interface Trial {
  readonly agent: Agent
  readonly program: string
  readonly simulator: Simulator
  readonly dialect: UpstreamDialect
  readonly place: Pick<AgentPlace, 'url' | 'key' | 'model'>
}

const ticketServer = [process.execPath, join(import.meta.dir, 'ticket-server.ts')] as const
const timeoutMs = 180_000

/** Drives an agent through two turns of one conversation, in a home of its own. */
export async function tryAgent(trial: Trial): Promise<Finding> {
  const { agent, simulator } = trial
  const home = mkdtempSync(join(tmpdir(), 'tollgate-agent-'))
  const place = { ...trial.place, home, tickets: ticketServer }
  try {
    simulator.reset()
    playModel(simulator, agent)
    await prepare(agent, place)
    const turn = (ticket: number, isNext: boolean) => runAgent(trial, place, { prompt: promptOf(ticket), isNext })
    const first = await turn(tickets.first, false)
    const firstRequests = [...simulator.requests]
    const wrote = await Bun.file(join(home, 'work', note.path))
      .text()
      .catch(() => '')
    const next = await turn(tickets.next, true)
    const nextRequests = simulator.requests.slice(firstRequests.length)
    return assess(trial, [
      { run: first, requests: firstRequests, wrote },
      { run: next, requests: nextRequests, wrote },
    ])
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function prepare(agent: Agent, place: AgentPlace): Promise<void> {
  mkdirSync(join(place.home, 'work'))
  for (const [path, text] of Object.entries(agent.files?.(place) ?? {})) {
    mkdirSync(dirname(join(place.home, path)), { recursive: true })
    await Bun.write(join(place.home, path), text)
  }
}

function runAgent({ agent, program }: Trial, place: AgentPlace, turn: { prompt: string; isNext: boolean }) {
  const env = { ...closedEnvironment(place.home), ...agent.env(place) }
  return run([program, ...agent.args(turn.prompt, turn.isNext, place)], {
    env,
    cwd: join(place.home, 'work'),
    timeoutMs,
  })
}

interface Turn {
  readonly run: ProgramRun
  readonly requests: readonly RecordedRequest[]
  /** The note. */
  readonly wrote: string
}

function assess({ agent, dialect }: Trial, [first, next]: readonly [Turn, Turn]): Finding {
  const hasSent = (turn: Turn, text: string) => turn.requests.some(({ body }) => body.includes(text))
  const hasEnded = (turn: Turn, ticket: number) => turn.run.exitCode === 0 && turn.run.output.includes(endOf(ticket))
  const refused = [...first.requests, ...next.requests].find(({ status }) => status >= 400)
  const checks: [Aspect, string, boolean][] = [
    ['t', 'the first turn does not end well', hasEnded(first, tickets.first)],
    ['t', 'the result of a tool is missing', !agent.shell || hasSent(first, colorOf(tickets.first))],
    ['t', 'the note is not written', first.wrote.trim() === note.content],
    [
      'r',
      'thoughts do not come back',
      first.requests.length > 0 &&
        (!seals.has(dialect) || !agent.shell || first.requests.some((request) => sealsIn(request).length > 0)),
    ],
    ['2', 'the second turn does not end well', hasEnded(next, tickets.next)],
    [
      '2',
      'the second turn does not have the first',
      hasSent(next, agent.shell ? colorOf(tickets.first) : endOf(tickets.first)),
    ],
  ]
  const failed = checks.filter(([, , isMet]) => !isMet)
  const aspects = ['t', 'r', '2'] as const
  const details = () => [
    ...(refused ? [`${refused.path} ${refused.status}: ${refused.body.slice(-1500)}`] : []),
    (hasEnded(first, tickets.first) ? next : first).run.output.slice(-3000),
  ]
  return {
    passed: aspects.filter((aspect) => failed.every(([of]) => of !== aspect)),
    problems: failed.length === 0 ? [] : [...failed.map(([, problem]) => problem), ...details()],
  }
}

/** Dialects whose thoughts are sealed. */
const seals: ReadonlySet<UpstreamDialect> = new Set(['openai-responses', 'anthropic-messages', 'gemini'])
