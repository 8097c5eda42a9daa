import type { DialectId, Usage } from '@tollgate/dialects'

import { dropReasons, type DropReason } from '../../batching/waiting-list'
import { mailOutcomes, slotRefusals, type MailOutcome, type SlotRefusal } from './outcomes'
import { ResponseCacheSeries } from './response-cache-series'
import { Counted, CountedByFirst, MeasuredEach, Spread, SpreadByFirst, type Reading, type Series } from './series'

/** A part of the gateway's own work on a call, without the time of the upstream. */
export type Stage = 'admit' | 'prepare' | 'settle'

/** Where a charged call was served, and how long it took. */
interface ServedCall {
  readonly channelId: number
  readonly modelName: string
  readonly group: string
  readonly measures?: {
    /** Null for a call whose duration says nothing. */
    readonly wholeMs: number | null
    /** Null for what was not streamed. */
    readonly firstTokenMs: number | null
  }
}

/** The dialects of clients, reported from the start. */
const dialects: readonly DialectId[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']
/** Limits of any kind are a class of their own: their share says whether callers are held back. */
const statusClasses = ['2xx', '4xx', '429', '5xx']
const classOf = (status: number): string => (status === 429 ? '429' : `${Math.floor(status / 100)}xx`)

/** Channels, models and groups with series of their own in a worker. */
const maxChannels = 100
const maxModels = 100
const maxGroups = 50

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
/** Coarser: there are many channels and models. */
const wholeSeconds = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const firstSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const fractions = [0.00001, 0.000025, 0.00005, 0.0001, 0.00025, ...seconds]

/** Series of the times of calls, by channel or model. */
const timesBy = (of: 'channel' | 'model', maxSeries: number) => ({
  whole: new SpreadByFirst(
    `tollgate_${of}_call_seconds`,
    `From the arrival of a charged call to its last byte, by ${of}; other: the ${of}s beyond the first ${maxSeries} of each worker.`,
    wholeSeconds,
    of,
    maxSeries,
  ),
  first: new SpreadByFirst(
    `tollgate_${of}_first_byte_seconds`,
    `From the arrival of a charged call to the first byte of its stream, by ${of}.`,
    firstSeconds,
    of,
    maxSeries,
  ),
})

/**
 * What a worker counts. Nothing is labelled by user or key: such labels grow without bound. Of models, groups, and channels where they are
 * more than counted, only the first ones have series of their own.
 */
export class Metrics {
  readonly #calls = new Counted(
    'tollgate_calls_total',
    'Answered calls by the dialect of the caller and the class of the status; 429 is a class of its own.',
    ['dialect', 'status'],
    dialects.flatMap((dialect) => statusClasses.map((status) => `${dialect} ${status}`)),
  )
  readonly #refusals = new Counted(
    'tollgate_refused_calls_total',
    'Calls that were refused before any upstream saw them, by the code of the error.',
    ['code'],
    ['key.invalid', 'key.exhausted', 'quota.user', 'rate.token', 'rate.user', 'caller.model', 'request.invalid'],
  )
  readonly #durations = new Spread(
    'tollgate_call_seconds',
    'From the arrival of a call to its whole response, or to the first byte of its stream.',
    seconds,
    ['dialect'],
  )
  readonly #stages = new Spread(
    'tollgate_overhead_seconds',
    'The gateway’s own time by stage: admit (until the quota is reserved), prepare (until the upstream is called), settle (charge).',
    fractions,
    ['stage'],
  )
  readonly #attempts = new Counted(
    'tollgate_upstream_attempts_total',
    'Attempts at channels by outcome.',
    ['outcome'],
    ['served', 'abandoned', 'malformed', 'refused', 'silent', 'stale', 'timeout', 'unanswered', 'unreachable'],
  )
  readonly #channelAttempts = new Counted(
    'tollgate_channel_attempts_total',
    'Attempts at each channel by outcome. tollgate_channel_info has its name.',
    ['channel', 'outcome'],
  )
  readonly #retries = new Counted(
    'tollgate_retries_total',
    'Retries that calls wanted: made, or refused by the retry budget.',
    ['outcome'],
    ['made', 'refused'],
  )
  readonly #waits = new Counted(
    'tollgate_channel_waits_total',
    'Calls that found their channels at the concurrency cap: served in the end, full (no room in the queue), late (too long in it), gone (the client left).',
    ['outcome'],
    ['served', ...slotRefusals],
  )
  readonly #windowSkips = new CountedByFirst(
    'tollgate_channel_window_skips_total',
    'Attempts that went on to another key or channel as a window of the first was full, by the channel that was passed over.',
    'channel',
    maxChannels,
  )
  readonly #cooldowns = new Counted(
    'tollgate_cooldowns_total',
    'Responses with 429 or 503 that said when to retry: the key, or the channel, cools down until then.',
  )
  readonly #firstBytes = new Spread(
    'tollgate_first_byte_seconds',
    'From the arrival of a call to the first byte of its upstream’s response.',
    seconds,
  )
  readonly #tokens = new Counted(
    'tollgate_tokens_total',
    'Charged tokens. Cached ones are part of the prompt, reasoning is part of the completion.',
    ['kind'],
    ['prompt', 'completion', 'cached', 'reasoning'],
  )
  readonly #quota = new Counted('tollgate_charged_quota_total', 'Charged quota.')
  readonly #ofChannels = timesBy('channel', maxChannels)
  readonly #ofModels = timesBy('model', maxModels)
  readonly #groupQuota = new CountedByFirst(
    'tollgate_group_quota_total',
    'Charged quota by the group that the call was made in.',
    'group',
    maxGroups,
  )
  readonly #soldQuota = new CountedByFirst(
    'tollgate_channel_quota_total',
    'Charged quota of the calls whose cost at the vendor is known, by channel.',
    'channel',
    maxChannels,
  )
  readonly #costQuota = new CountedByFirst(
    'tollgate_channel_cost_quota_total',
    'What the vendor charges for the same calls, in quota, by channel.',
    'channel',
    maxChannels,
  )
  readonly #failures = new Counted(
    'tollgate_failed_calls_total',
    'Calls that were answered with an error, by its code: those of the gateway, and upstream.… for attempts at channels.',
    ['code'],
    [
      'upstream.refused',
      'upstream.timeout',
      'upstream.unreachable',
      'channel.none',
      'ledger.unavailable',
      'server.error',
    ],
  )
  readonly #usageCapped = new Counted(
    'tollgate_usage_capped_total',
    'Reported counts (prompt_tokens, completion_tokens, tool_calls) that exceed what the call can have used; the gateway’s own count was charged.',
    ['kind'],
    ['prompt_tokens', 'completion_tokens', 'tool_calls'],
  )
  readonly #charges = new Counted('tollgate_charges_total', 'Charged calls.')
  readonly #textsDropped = new Counted(
    'tollgate_log_bodies_dropped_total',
    'Texts of calls that were not logged: full (the queue was full), late (the database was unavailable too long), closed (the process ended).',
    ['reason'],
    dropReasons,
  )
  readonly #spansDropped = new Counted(
    'tollgate_trace_spans_dropped_total',
    'Spans that did not reach the trace collector.',
  )
  readonly #mails = new Counted(
    'tollgate_mails_total',
    'Mails by the outcome of an attempt to send them: sent, later (will be retried), given-up.',
    ['outcome'],
    mailOutcomes,
  )
  // The label `job` is that of the scrape.
  readonly #jobFailures = new Counted('tollgate_job_failures_total', 'Failed runs of periodic work, by its name.', [
    'name',
  ])
  readonly #jobSuccesses = new Map<string, number>()
  readonly #jobSuccessTimes = new MeasuredEach(
    'tollgate_job_last_success_timestamp_seconds',
    'When periodic work succeeded last, in Unix seconds; told by the worker that runs it.',
    ['name'],
    () => [...this.#jobSuccesses].map(([name, at]) => [[name], at]),
  )
  /** The response cache. */
  readonly responseCache = new ResponseCacheSeries()
  readonly #all: Series[] = [
    ...this.responseCache.series,
    this.#jobFailures,
    this.#jobSuccessTimes,
    this.#mails,
    this.#calls,
    this.#refusals,
    this.#durations,
    this.#stages,
    this.#attempts,
    this.#channelAttempts,
    this.#retries,
    this.#waits,
    this.#windowSkips,
    this.#cooldowns,
    this.#firstBytes,
    this.#tokens,
    this.#quota,
    this.#charges,
    this.#ofChannels.whole,
    this.#ofChannels.first,
    this.#ofModels.whole,
    this.#ofModels.first,
    this.#groupQuota,
    this.#soldQuota,
    this.#costQuota,
    this.#failures,
    this.#usageCapped,
    this.#textsDropped,
    this.#spansDropped,
  ]
  #responseCount = 0

  /** Counts a call that was answered, or whose stream has begun. */
  countResponse(dialect: DialectId, status: number, milliseconds: number): void {
    this.#responseCount += 1
    this.#calls.add(`${dialect} ${classOf(status)}`)
    this.#durations.observe(milliseconds / 1000, dialect)
  }

  /** Counts a call that the gateway refused before any upstream saw it. There are as many codes as `errors.ts` has. */
  countRefusal(code: string): void {
    this.#refusals.add(code)
  }

  /** Adds the gateway's own time in a stage. */
  addStageTime(stage: Stage, milliseconds: number): void {
    this.#stages.observe(milliseconds / 1000, stage)
  }

  /** Counts the outcome of an attempt at a channel: `served`, or what was wrong. */
  countAttempt(outcome: string, channelId: number): void {
    this.#attempts.add(outcome)
    this.#channelAttempts.add(`${channelId} ${outcome}`)
  }

  /** Counts a channel, or a key of it, that was passed over as one of its windows was full. */
  countWindowSkip(channelId: number): void {
    this.#windowSkips.add(String(channelId), 1)
  }

  /** Counts a retry: it was made, or the retry budget refused it. */
  countRetry(outcome: 'made' | 'refused'): void {
    this.#retries.add(outcome)
  }

  /** Counts the outcome for a call that found all its channels at their concurrency caps. */
  countWait(outcome: 'served' | SlotRefusal): void {
    this.#waits.add(outcome)
  }

  /** Counts an upstream that said when it can be called again. */
  cooledDown(): void {
    this.#cooldowns.add()
  }

  /** Records the time from the call's arrival to the first byte of its response. */
  firstByte(milliseconds: number): void {
    this.#firstBytes.observe(milliseconds / 1000)
  }

  /** Counts a charged call. `cost`: the quota that its channel's vendor charges, where that is known. */
  countCharge(
    usage: Usage,
    countCharge: number,
    { channelId, modelName, group, measures }: ServedCall,
    cost?: number,
  ): void {
    this.#groupQuota.add(group, countCharge)
    if (cost !== undefined) {
      this.#soldQuota.add(String(channelId), countCharge)
      this.#costQuota.add(String(channelId), cost)
    }
    const { wholeMs = null, firstTokenMs = null } = measures ?? {}
    if (wholeMs !== null) {
      this.#ofChannels.whole.observe(wholeMs / 1000, channelId)
      this.#ofModels.whole.observe(wholeMs / 1000, modelName)
      if (firstTokenMs !== null) {
        this.#ofChannels.first.observe(firstTokenMs / 1000, channelId)
        this.#ofModels.first.observe(firstTokenMs / 1000, modelName)
      }
    }
    this.#charges.add()
    this.#quota.add('', countCharge)
    this.#tokens.add('prompt', usage.promptTokens)
    this.#tokens.add('completion', usage.completionTokens)
    if (usage.cachedTokens > 0) this.#tokens.add('cached', usage.cachedTokens)
    if (usage.reasoningTokens > 0) this.#tokens.add('reasoning', usage.reasoningTokens)
  }

  /** Counts a call that was answered with an error, by its code. There are as many codes as `errors.ts` has. */
  countFailure(code: string): void {
    this.#failures.add(code)
  }

  /** Counts an upstream that reported more than a call can have used, in each of these counts. */
  usageCapped(counts: readonly string[]): void {
    for (const count of counts) this.#usageCapped.add(count)
  }

  /** Counts texts of calls that were dropped instead of being logged. */
  textsDropped(reason: DropReason, count: number): void {
    this.#textsDropped.add(reason, count)
  }

  /** Counts a mail that was sent, will be retried, or was given up. */
  countMail(outcome: MailOutcome): void {
    this.#mails.add(outcome)
  }

  /** Counts spans of traces that could not be delivered to their collector. */
  spansDropped(count: number): void {
    this.#spansDropped.add('', count)
  }

  /** Names the periodic jobs, so that each is reported before it fails first. */
  expectJobs(names: readonly string[]): void {
    for (const name of names) this.#jobFailures.add(name, 0)
  }

  /** Counts a failed run of a periodic job. */
  jobFailed(name: string): void {
    this.#jobFailures.add(name)
  }

  /** Records when a run of a periodic job succeeded, in Unix seconds. */
  jobSucceeded(name: string, at: number): void {
    this.#jobSuccesses.set(name, at)
  }

  /** Calls answered so far. */
  get responseCount(): number {
    return this.#responseCount
  }

  /** Adds a series to those that are read. */
  register(series: Series): void {
    this.#all.push(series)
  }

  get series(): readonly Series[] {
    return this.#all
  }

  /** Returns all current values. */
  read(): Reading[] {
    return this.#all.map((series) => series.read())
  }
}
