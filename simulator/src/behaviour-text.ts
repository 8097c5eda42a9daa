import type { Behaviour, Ending, UsageReport } from './behaviour'
import { dialectFaults, faults, isDialectFaultName, isFaultName } from './faults'
import { parseJson } from './json'

const faultPrefix = 'sim-fault-'
const settingPrefix = 'sim:'
const endings: readonly string[] = [
  'stop',
  'length',
  'refusal',
  'content-filter',
  'blocked',
  'pause',
  'context-window',
  'failed',
] satisfies Ending[]
const usageReports: readonly string[] = ['asked', 'always', 'none', 'every-chunk', 'duplicate', 'last-choice']

type Setting = (value: string) => Behaviour

/** The settings of the text form. */
const settings: Record<string, Setting> = {
  tokens: (value) => ({ tokens: whole(value) }),
  prompt: (value) => ({ promptTokens: whole(value) }),
  ttft: (value) => ({ ttftMs: whole(value) }),
  gap: (value) => ({ gapMs: whole(value) }),
  usage: (value) => ({ usage: usageReport(value) }),
  'usage-late': (value) => ({ usageLateMs: whole(value) }),
  cached: (value) => ({ cachedTokens: whole(value) }),
  audio: (value) => ({ audioTokens: whole(value) }),
  'audio-out': (value) => ({ completionAudioTokens: whole(value) }),
  image: (value) => ({ imageTokens: whole(value) }),
  reasoning: (value) => ({ reasoningTokens: whole(value) }),
  'cache-write': (value) => ({ cacheWriteTokens: whole(value) }),
  'cache-write-1h': (value) => ({ cacheWriteHourTokens: whole(value) }),
  text: (value) => ({ text: percentDecode(value) }),
  /** A text of this many bytes. */
  bytes: (value) => ({ text: 'x'.repeat(whole(value)) }),
  think: (value) => ({ thinking: whole(value) }),
  redacted: () => ({ redacted: true }),
  search: (value) => ({ searches: whole(value) }),
  code: (value) => ({ codeRuns: whole(value) }),
  pictures: (value) => ({ images: whole(value) }),
  end: (value) => ({ ending: ending(value) }),
  tools: (value) => ({ toolCalls: whole(value) }),
  args: (value) => ({ toolArguments: list(value) }),
  split: (value) => ({ splitAt: whole(value) }),
  join: (value) => ({ joinFrames: whole(value) }),
  huge: (value) => ({ hugeFrame: whole(value) }),
  drip: (value) => ({ drip: whole(value) }),
  every: (value) => ({ every: whole(value) }),
  gzip: () => ({ gzip: true }),
  crlf: () => ({ crlf: true }),
  comments: () => ({ comments: true }),
  unknown: () => ({ unknownFields: true }),
  'no-done': () => ({ done: false }),
  fault: (value) => faultOf(value),
}

/**
 * Behaviour asked for in a model name or an API key, which pass through a gateway unchanged:
 * `sim-fault-status-500`, or `sim:tokens=200;gap=5;usage=none;fault=status-500;every=3` (`,` and `&` separate too).
 * `text` and `args`, a JSON list, are percent-encoded: `sim:text=a%20word`, `sim:tools=1;args=%5B%7B%22a%22%3A1%7D%5D`.
 * A key may carry the usual `sk-` in front. Null: the text asks for nothing.
 * @throws RangeError when the text is meant for the simulator but asks for something it does not know.
 */
export function behaviourOf(text: string): Behaviour | null {
  const requested = text.startsWith('sk-') ? text.slice(3) : text
  if (requested.startsWith(faultPrefix)) return faultOf(requested.slice(faultPrefix.length))
  if (!requested.startsWith(settingPrefix)) return null
  return requested
    .slice(settingPrefix.length)
    .split(/[,;&]/)
    .filter((part) => part !== '')
    .reduce((behaviour, part) => ({ ...behaviour, ...settingOf(part) }), {})
}

function settingOf(part: string): Behaviour {
  const [name = '', ...rest] = part.split('=')
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
  if (!setting) throw new RangeError(`The simulator knows no setting "${name}"`)
  return setting(rest.join('='))
}

function faultOf(name: string): Behaviour {
  if (isFaultName(name)) return faults[name]
  if (isDialectFaultName(name)) return dialectFaults[name]
  throw new RangeError(`The simulator knows no fault "${name}"`)
}

function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new RangeError(`"${value}" is not a whole number`)
  return Number(value)
}

function usageReport(value: string): UsageReport {
  if (!usageReports.includes(value)) throw new RangeError(`The simulator cannot report usage as "${value}"`)
  return value as UsageReport
}

function ending(value: string): Ending {
  if (!endings.includes(value)) throw new RangeError(`The simulator cannot end with "${value}"`)
  return value as Ending
}

function percentDecode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new RangeError(`"${value}" is not percent-encoded`)
  }
}

function list(value: string): unknown[] {
  const parsed = parseJson(percentDecode(value))
  if (!Array.isArray(parsed)) throw new RangeError(`"${value}" is not a JSON list`)
  return parsed
}
