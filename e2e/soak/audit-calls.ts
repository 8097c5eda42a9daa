import { quotaByTokens } from '../formula'
import type { CallOutcome } from './call-outcome'
import type { FileState } from './named-file'
import type { Problem } from './problem'
import { prices, sessionModel } from './site'
import type { ServedRequest } from './upstream-process'

/** A row of the usage log with its charge. */
export interface ChargedCall {
  readonly request_id: string
  readonly user_id: number
  readonly token_id: number
  readonly model_name: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly quota: number
  /** 1: the upstream reported no usage. */
  readonly is_estimated: number
  /** 1: the money of its caller ran out midway, and its client was told that a limit was reached. */
  readonly is_cut: number
  /** Quota in the charge itself. */
  readonly charged: number
}

export interface RoundFacts {
  readonly calls: readonly CallOutcome[]
  readonly served: readonly ServedRequest[]
  readonly charged: readonly ChargedCall[]
}

/**
 * Judges call by call: a complete response is charged exactly once, an incomplete one at most once and at most for what the upstream
 * served. An error costs nothing, with one exception: a caller who is gone while a response has only started pays what its start reported,
 * and the gateway never reads the error that would have followed.
 */
export function auditCalls({ calls, served, charged }: RoundFacts): Problem[] {
  const servedTo = Map.groupBy(served, ({ name }) => name)
  const chargesOf = Map.groupBy(charged, ({ request_id }) => request_id)
  const problems = charged.flatMap(formulaProblems)
  problems.push(
    ...served.flatMap((one) =>
      one.file === 'missing' ? [problem('lost', `${one.name} went out without its file`)] : [],
    ),
  )
  const unheard: CallOutcome[] = []
  for (const call of calls) {
    const rows = call.requestId === '' ? [] : (chargesOf.get(call.requestId) ?? [])
    chargesOf.delete(call.requestId)
    problems.push(...callProblems(call, rows, servedTo.get(call.name) ?? []))
    if (rows.length === 0 && isUnheard(call) && servedTo.has(call.name)) unheard.push(call)
  }
  return [...problems, ...unknownProblems([...chargesOf.values()].flat(), unheard, servedTo)]
}

/** Its client cannot know the id of its row. A hold that fails uses up a number: later responses of a session have higher ones. */
const isUnheard = ({ requestId, model, isComplete }: CallOutcome): boolean =>
  requestId === '' || (model === sessionModel && !isComplete)

const sessionOf = (rowId: string): string => rowId.replace(/-\d+$/, '')

const costOf = (model: string, { prompt, completion }: { prompt: number; completion: number }): number =>
  quotaByTokens(prices[model] ?? { model: 0 }, { prompt, completion })

function formulaProblems(row: ChargedCall): Problem[] {
  const cost = costOf(row.model_name, { prompt: row.prompt_tokens, completion: row.completion_tokens })
  if (row.quota === cost && row.charged === cost) return []
  return [problem('amount', `${row.request_id} costs ${cost}, logged ${row.quota}, charged ${row.charged}`)]
}

function callProblems(call: CallOutcome, rows: readonly ChargedCall[], served: readonly ServedRequest[]): Problem[] {
  const [row] = rows
  const label = `${call.name} ${call.requestId}`
  if (call.isLate) return [problem('other', `${label} was not answered`)]
  if (row && call.status === 503) return [problem('amount', `${label} was refused with 503 and charged ${row.quota}`)]
  if (rows.length > 1) return [problem('doubled', `${label} was charged ${rows.length} times`)]
  if (!row) return call.isComplete ? [problem('lost', `${label} is complete and was not charged`)] : []
  if (row.user_id !== call.payer.userId || row.token_id !== call.payer.tokenId) {
    return [problem('amount', `${label} was charged to user ${row.user_id}, token ${row.token_id}`)]
  }
  const maxQuota = maxQuotaOf(call, served, row)
  if (row.quota > maxQuota) {
    const what = `${JSON.stringify(row)}, the upstream served ${maxQuota}: ${JSON.stringify(served)}`
    return [problem('amount', `${label} was charged too much: ${what}`)]
  }
  if (call.isComplete && row.is_cut === 0 && !served.some((one) => isUsageOf(row, one))) {
    const usage = `${row.prompt_tokens} + ${row.completion_tokens} tokens`
    return [problem('amount', `${label} was charged for ${usage}, the upstream counted ${JSON.stringify(served)}`)]
  }
  return []
}

const isUsageOf = (row: ChargedCall, one: ServedRequest): boolean =>
  one.isResponse && (one.isMisreported && row.is_estimated === 1 ? isEstimateOf(row, one) : isCountOf(row, one))

const isCountOf = (row: ChargedCall, { promptTokens, completionTokens }: ServedRequest): boolean =>
  row.prompt_tokens === promptTokens && row.completion_tokens === completionTokens

/** For an upstream whose usage is wrong, the gateway's own count is charged. The simulator counts prompts by their length, roughly. */
const isEstimateOf = (row: ChargedCall, { promptTokens, completionTokens, file }: ServedRequest): boolean =>
  row.prompt_tokens <= promptTokens + promptMargins[file] &&
  row.prompt_tokens * 2 >= promptTokens - promptMargins[file] &&
  Math.abs(row.completion_tokens - completionTokens) <= estimateMargin

/** Tolerance between our own count and the upstream's: chat formatting adds a few tokens, and so does a rough count. */
const estimateMargin = 8
/** A file counts as one of a few pages, or not at all. */
const promptMargins: Readonly<Record<FileState, number>> = {
  none: estimateMargin,
  there: 5000,
  missing: estimateMargin,
}

function maxQuotaOf(call: CallOutcome, served: readonly ServedRequest[], row: ChargedCall): number {
  const isEstimated = row.is_estimated === 1
  const costs = served
    .filter(({ isResponse }) => isResponse)
    .map(({ promptTokens, completionTokens, file }) =>
      costOf(call.model, {
        prompt: promptTokens + (isEstimated ? promptMargins[file] : 0),
        completion: completionTokens + (isEstimated ? estimateMargin : 0),
      }),
    )
  return Math.max(isStartOf(row, served, call) ? row.quota : 0, ...costs)
}

/** A start reports a token of its answer. */
const startTokens = 1

/** Whether a row is what the start of the last response reported, whose caller was gone or sent away before its error. */
function isStartOf(row: ChargedCall, served: readonly ServedRequest[], call: CallOutcome): boolean {
  const last = served.at(-1)
  const isGone = call.hasLeft || call.status === revoked
  return (
    isGone &&
    last?.hasStarted === true &&
    row.is_estimated === 1 &&
    row.prompt_tokens === last.promptTokens &&
    row.completion_tokens === startTokens
  )
}

const revoked = 403

/**
 * Judges charges whose request id no client saw: they belong to calls that broke off before their headers, or to responses of sessions that
 * broke off, each to one of its own. An estimate may fit many of them and an exact usage one, so they are matched as a whole, not one after
 * the other.
 */
function unknownProblems(
  rows: readonly ChargedCall[],
  unheard: readonly CallOutcome[],
  servedTo: ReadonlyMap<string, readonly ServedRequest[]>,
): Problem[] {
  const candidates = (row: ChargedCall) =>
    unheard.filter((call) => {
      const { requestId, name, model, payer } = call
      return (
        (requestId === '' || sessionOf(requestId) === sessionOf(row.request_id)) &&
        model === row.model_name &&
        payer.tokenId === row.token_id &&
        couldBe(row, servedTo.get(name) ?? [], call)
      )
    })
  return findUnmatched(rows, candidates).map((row) =>
    problem(
      'doubled',
      `${JSON.stringify(row)} was charged, and none of ${unheard.length} unheard calls can be its own`,
    ),
  )
}

/** Returns those that remain unmatched in a maximum matching with their candidates (augmenting paths). */
function findUnmatched(
  rows: readonly ChargedCall[],
  candidatesOf: (row: ChargedCall) => readonly CallOutcome[],
): ChargedCall[] {
  const rowOf = new Map<CallOutcome, ChargedCall>()
  const finds = (row: ChargedCall, tried: Set<CallOutcome>): boolean =>
    candidatesOf(row).some((call) => {
      if (tried.has(call)) return false
      tried.add(call)
      const holder = rowOf.get(call)
      if (holder !== undefined && !finds(holder, tried)) return false
      rowOf.set(call, row)
      return true
    })
  return rows.filter((row) => !finds(row, new Set()))
}

function couldBe(row: ChargedCall, served: readonly ServedRequest[], call: CallOutcome): boolean {
  if (row.is_estimated === 1) return row.quota <= maxQuotaOf(call, served, row)
  return served.some((one) => isUsageOf(row, one))
}

const problem = (kind: Problem['kind'], what: string): Problem => ({ kind, what })
