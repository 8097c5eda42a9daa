import type { Behaviour, UsageReport } from './behaviour'
import { faults, isFaultName } from './faults'

const faultPrefix = 'sim-fault-'
const settingPrefix = 'sim:'
const usageReports: readonly string[] = ['asked', 'always', 'none', 'every-chunk', 'duplicate', 'last-choice']

type Setting = (value: string) => Behaviour

/** The settings of the text form. */
const settings: Record<string, Setting> = {
  tokens: (value) => ({ tokens: whole(value) }),
  prompt: (value) => ({ promptTokens: whole(value) }),
  ttft: (value) => ({ ttftMs: whole(value) }),
  gap: (value) => ({ gapMs: whole(value) }),
  usage: (value) => ({ usage: usageReport(value) }),
  cached: (value) => ({ cachedTokens: whole(value) }),
  audio: (value) => ({ audioTokens: whole(value) }),
  'audio-out': (value) => ({ completionAudioTokens: whole(value) }),
  image: (value) => ({ imageTokens: whole(value) }),
  reasoning: (value) => ({ reasoningTokens: whole(value) }),
  tools: (value) => ({ toolCalls: whole(value) }),
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
 * A key may carry the usual `sk-` in front. Null: the text asks for nothing.
 * @throws RangeError when the text is meant for the simulator but asks for something it does not know.
 */
export function behaviourOf(text: string): Behaviour | null {
  const asked = text.startsWith('sk-') ? text.slice(3) : text
  if (asked.startsWith(faultPrefix)) return faultOf(asked.slice(faultPrefix.length))
  if (!asked.startsWith(settingPrefix)) return null
  return asked
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
  if (!isFaultName(name)) throw new RangeError(`The simulator knows no fault "${name}"`)
  return faults[name]
}

function whole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new RangeError(`"${value}" is not a whole number`)
  return Number(value)
}

function usageReport(value: string): UsageReport {
  if (!usageReports.includes(value)) throw new RangeError(`The simulator cannot report usage as "${value}"`)
  return value as UsageReport
}
