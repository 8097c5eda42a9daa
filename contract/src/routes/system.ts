import * as z from 'zod'

import { DownloadTicket } from '../http/download'
import { logLevels, type LogLevel } from '../stored/log-level'
import { fileRoute, route } from '../http/route'

/** How far a run has come that removes rows. */
export const JobProgress = z.object({
  removed: z.number().int(),
  /** By the age of the rows. */
  percent: z.number().int(),
})
export type JobProgress = z.output<typeof JobProgress>

/** The last run of a job, on whichever worker. */
export const JobRun = z.object({
  name: z.string(),
  every_ms: z.number(),
  started_at_ms: z.number(),
  /** Null while it runs. */
  duration_ms: z.number().nullable(),
  outcome: z.enum(['running', 'ok', 'failed']),
  /** Empty unless it failed. */
  error: z.string(),
  /** The id of the worker. */
  worker: z.string(),
  /** Null for a run that does not say. */
  progress: JobProgress.nullable().default(null),
})
export type JobRun = z.output<typeof JobRun>

/** What a response cache did and holds. */
export const ResponseCacheFigures = z.object({
  hits: z.number().int(),
  misses: z.number().int(),
  entries: z.number().int(),
  bytes: z.number(),
  /** What callers would have paid without it, less what they paid. */
  saved_quota: z.number(),
  /** What vendors would have charged, in quota, where that is known. Absent for readers who may not read costs. */
  saved_cost_quota: z.number().optional(),
})

/** What a worker reports about itself. */
export const WorkerState = z.object({
  id: z.string(),
  pid: z.number().int(),
  uptime_seconds: z.number(),
  memory_bytes: z.number(),
  calls_in_flight: z.number().int(),
  /** How late timers fired since its start, in milliseconds; null while it is not known. */
  loop_delay_mean_ms: z.number().nullable(),
  /** 99 of 100 timers were not later than this. */
  loop_delay_p99_ms: z.number().nullable(),
  /** Charges in its journal that the database does not have yet, and the age of the first. */
  journal_charges: z.number().int(),
  journal_oldest_seconds: z.number(),
  log_level: z.enum(logLevels),
  /** What its response cache has done since its start, and holds in memory. */
  response_cache: ResponseCacheFigures,
  /** It runs the jobs of the whole site. */
  is_leader: z.boolean(),
  /** The last runs of its jobs. */
  jobs: z.array(JobRun),
})
export type WorkerState = z.output<typeof WorkerState>

const Node = z.object({
  id: z.string(),
  is_this: z.boolean(),
  workers: z.number().int(),
  /** Unix seconds. */
  started_at: z.number().int(),
  heard_of_at: z.number().int(),
})

/** Queued work: how many pieces, where they are counted, and for how long the oldest has waited. */
const Queue = z.object({
  name: z.enum(['mails', 'webhooks', 'usage', 'invitations', 'charges']),
  waiting: z.number().int().nullable(),
  oldest_seconds: z.number(),
})

export const SystemState = z.object({
  version: z.string(),
  /** The running program, as `tollgate` or the name of a build. */
  build: z.string(),
  runtime: z.string(),
  platform: z.string(),
  host: z.string(),
  data_dir: z.string(),
  /** Unix seconds. */
  started_at: z.number().int(),
  workers: z.array(WorkerState),
  nodes: z.array(Node),
  database: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    version: z.string(),
    bytes: z.number(),
    /** Host and database of a server; empty for SQLite. */
    location: z.string(),
  }),
  /** Files next to the journals with charges that could not be read. */
  set_aside: z.array(z.string()),
  queues: z.array(Queue),
  disk: z.object({
    total_bytes: z.number(),
    free_bytes: z.number(),
    data_bytes: z.number(),
    backup_bytes: z.number(),
  }),
  jobs: z.array(JobRun),
  log: z.object({
    level: z.enum(logLevels),
    /** As `LOG_LEVEL` says. */
    configured: z.enum(logLevels),
    /** Unix seconds at which the configured level returns; null while it is in force. */
    until: z.number().int().nullable(),
  }),
})
export type SystemState = z.output<typeof SystemState>

/** What one check found, in the reader's language. */
export const Finding = z.object({
  level: z.enum(['ok', 'warn', 'FAIL']),
  subject: z.string(),
  text: z.string(),
  /** What to do about it; empty when nothing has to be done. */
  advice: z.string(),
})
export type Finding = z.output<typeof Finding>

/** A certificate of a server of the gateway. */
export const Certificate = z.object({
  of: z.enum(['database', 'redis', 'mail']),
  host: z.string(),
  subject: z.string(),
  issuer: z.string(),
  /** Unix seconds; null when the server could not be reached. */
  ends_at: z.number().int().nullable(),
  /** Why the server could not be reached; otherwise empty. */
  failure: z.string(),
})
export type Certificate = z.output<typeof Certificate>

export const Examination = z.object({ findings: z.array(Finding), certificates: z.array(Certificate) })
export type Examination = z.output<typeof Examination>

export const systemState = route({
  method: 'GET',
  path: '/api/system',
  access: 'settings.read',
  summary: 'The state of the system: release, workers, nodes, database, queues, disk, jobs',
  data: SystemState,
})

export const examineSystem = route({
  method: 'GET',
  path: '/api/system/checks',
  access: 'settings.read',
  limit: 'search',
  summary: 'What the command doctor finds on this node, and when the certificates of its servers end',
  data: Examination,
})

/** The longest time for which the level of the log can be changed, in minutes. */
export const maxLogMinutes = 24 * 60

/** A change of the level must not be able to hide errors. */
const silencing: ReadonlySet<LogLevel> = new Set(['fatal', 'silent'])
export const chosenLogLevels: readonly LogLevel[] = logLevels.filter((level) => !silencing.has(level))

export const setLogLevel = route({
  method: 'PUT',
  path: '/api/system/log_level',
  audit: 'system.log_level',
  access: 'settings.write',
  summary:
    'Change the level of the log of all workers for some minutes; 0 minutes returns to the configured one. Errors cannot be silenced',
  body: z
    .object({ level: z.enum(logLevels), minutes: z.number().int().min(0).max(maxLogMinutes) })
    .refine(({ level, minutes }) => minutes === 0 || !silencing.has(level)),
})

export const responseCache = route({
  method: 'GET',
  path: '/api/system/response_cache',
  access: 'settings.read',
  summary: 'What the response cache of this node has done since its start, and what it holds',
  data: ResponseCacheFigures.extend({
    /** Responses are in Redis, for all workers. */
    is_shared: z.boolean(),
    /** Redis is away, so that each worker stores in memory. */
    is_alone: z.boolean(),
  }),
})

export const clearResponseCache = route({
  method: 'DELETE',
  path: '/api/system/response_cache',
  audit: 'system.clear_responses',
  access: 'settings.write',
  summary: 'Remove all responses from the response cache',
})

export const supportBundle = fileRoute({
  method: 'GET',
  path: '/api/system/bundle',
  audit: 'system.bundle',
  access: 'settings.secure',
  media: 'application/json',
  limit: 'search',
  summary: 'A support bundle: what support needs to know, as one file without secrets',
})

export const createBundleTicket = route({
  method: 'POST',
  path: '/api/system/bundle/ticket',
  access: 'settings.secure',
  audit: null,
  isWrite: false,
  limit: 'search',
  summary: 'A ticket by which the browser fetches that file straight to disk',
  data: DownloadTicket,
})

export const fetchBundle = fileRoute({
  method: 'GET',
  path: '/api/system/bundle/file',
  audit: 'system.bundle',
  access: 'optional',
  scope: null,
  isSameSiteOnly: true,
  media: 'application/json',
  limit: 'search',
  summary: 'The same file, for the session that has a ticket for it',
  query: DownloadTicket,
})

/** What the list of releases said. */
export const ReleaseNews = z.object({
  /** Unix seconds. */
  checked_at: z.number().int(),
  version: z.string(),
  /** Markdown, verbatim. */
  notes: z.string(),
  /** A sentence's code where nothing was learned; otherwise empty. */
  failure: z.enum(['', 'address', 'timeout', 'unreachable', 'status', 'unreadable']),
  /** The HTTP status, where that is the failure. */
  status: z.number().int().nullable(),
})
export type ReleaseNews = z.output<typeof ReleaseNews>

const Release = z.object({
  current: z.string(),
  /** An address is configured. */
  is_set_up: z.boolean(),
  /** Null before the first check. */
  news: ReleaseNews.nullable(),
  is_newer: z.boolean(),
})
export type Release = z.output<typeof Release>

export const release = route({
  method: 'GET',
  path: '/api/system/release',
  access: 'settings.read',
  summary: 'The running release, and what the last look for a newer one found',
  data: Release,
})

export const checkRelease = route({
  method: 'POST',
  path: '/api/system/release',
  audit: 'system.check_release',
  access: 'settings.write',
  limit: 'critical',
  summary: 'Look for a newer release at the address of the option VersionCheckUrl',
  data: Release,
})
