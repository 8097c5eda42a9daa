import type { Preparation } from './prepare-node'

/*
 * Messages between the processes of a node, as JSON between the supervisor and its workers. Messages are checked by hand rather
 * than by schemas: the supervisor would need the schema library for nothing else, which takes 10 MB of memory in each process.
 */

/** The first worker's report: the database is up to date, others may start. */
export interface Prepared extends Preparation {
  readonly kind: 'prepared'
  /** The configured number of workers. */
  readonly workers: number
}

/** A worker accepts calls. */
export interface Listening {
  readonly kind: 'listening'
  readonly url: string
  /** The effective configuration, for the log. */
  readonly setting: Readonly<Record<string, string | number>>
}

/** What workers can be asked for: their metrics, what they hold in memory about channels, their state, or their last log lines. */
const topics = ['metrics', 'channels', 'state', 'log-lines'] as const
export type Topic = (typeof topics)[number]

interface About {
  readonly topic: Topic
  readonly question: number
}

/** A worker needs the answers of all workers. */
export interface WorkersQuestion extends About {
  readonly kind: 'asked'
  /** Parsed by the workers that answer. */
  readonly about?: unknown
}

/** What a worker learned about a channel. Parsed by the workers that read it. */
interface News {
  readonly kind: 'health'
  readonly news: unknown
}

/** Messages from a worker to the supervisor. */
export type WorkerMessage =
  | Prepared
  | Listening
  | WorkersQuestion
  | { readonly kind: 'answer'; readonly question: number; readonly value: unknown }
  | News

/** Messages from the supervisor to a worker. Questions have the supervisor's numbers, answers the number of the worker that asked. */
export type SupervisorMessage =
  | (About & { readonly kind: 'question'; readonly about?: unknown })
  | (About & { readonly kind: 'answers'; readonly values: readonly unknown[] })
  | News

/** Returns a message of a worker; null for one that this release does not know. */
export function readWorkerMessage(message: unknown): WorkerMessage | null {
  if (!isRecord(message)) return null
  const { kind, url, workers, setupCode, isSettled, question, value } = message
  switch (kind) {
    case 'prepared':
      return isCount(workers) && typeof setupCode === 'string' && typeof isSettled === 'boolean'
        ? { kind, workers, setupCode, isSettled }
        : null
    case 'listening': {
      const { setting } = message
      return typeof url === 'string' && isSetting(setting) ? { kind, url, setting } : null
    }
    case 'asked':
      return withAbout(message, { kind, about: message['about'] })
    case 'answer':
      return isCount(question) ? { kind, question, value } : null
    case 'health':
      return { kind, news: message['news'] }
    default:
      return null
  }
}

/** Returns a message of the supervisor; null for one that this release does not know. */
export function readSupervisorMessage(message: unknown): SupervisorMessage | null {
  if (!isRecord(message)) return null
  const { kind, values } = message
  switch (kind) {
    case 'question':
      return withAbout(message, { kind, about: message['about'] })
    case 'answers':
      return Array.isArray(values) ? withAbout(message, { kind, values }) : null
    case 'health':
      return { kind, news: message['news'] }
    default:
      return null
  }
}

type Fields = Readonly<Record<string, unknown>>

function withAbout<Rest extends object>({ topic, question }: Fields, rest: Rest): (Rest & About) | null {
  return isTopic(topic) && isCount(question) ? { ...rest, topic, question } : null
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isTopic = (value: unknown): value is Topic => topics.some((topic) => topic === value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value)
const isSetting = (value: unknown): value is Listening['setting'] =>
  isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string' || typeof entry === 'number')
