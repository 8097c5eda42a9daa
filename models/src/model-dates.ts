import { dateText } from './model-dates.gen'
import { modelKeys } from './model-names'

/** When a model came out and when its vendor stops serving it, as `2026-07-24`. Null: not known. */
export interface ModelDates {
  readonly releasedOn: string | null
  readonly retiresOn: string | null
  /** Its vendor calls it deprecated, without a date. */
  readonly isDeprecated: boolean
}

const unknown: ModelDates = { releasedOn: null, retiresOn: null, isDeprecated: false }

/** Each line by its name; made at first use. */
let lines: ReadonlyMap<string, string> | null = null

/**
 * Returns what is known of a model's dates under any of its names, as `modelOf` finds it. A snapshot that is not listed itself
 * came out on the day in its name.
 * @param vendor The id of a vendor, which may end a model before others do.
 */
export function datesOf(name: string, vendor = ''): ModelDates {
  const common = listedDates(name) ?? unknown
  const { retiresOn, isDeprecated } = (vendor !== '' && listedDates(name, `${vendor}/`)) || common
  return { releasedOn: dayInName(name) ?? common.releasedOn, retiresOn, isDeprecated }
}

function listedDates(name: string, prefix = ''): ModelDates | null {
  for (const key of modelKeys(name)) {
    const line = linesByName().get(prefix + key)
    if (line !== undefined) return readDateLine(line)
  }
  return null
}

/** Returns whether a model is no longer served, by a vendor or by any, or is about to be retired at an unannounced date. */
export function isRetired(name: string, today: string, vendor = ''): boolean {
  const { retiresOn, isDeprecated } = datesOf(name, vendor)
  return retiresOn === null ? isDeprecated : retiresOn <= today
}

const absent = '-'
const deprecated = 'x'

/** Returns a name and its dates as one line: `gpt-4-turbo 240409 261023`; `x` stands for an unannounced day. */
export function writeDateLine(name: string, { releasedOn, retiresOn, isDeprecated }: ModelDates): string {
  const end = retiresOn === null ? (isDeprecated ? deprecated : absent) : shortDay(retiresOn)
  return [name, releasedOn === null ? absent : shortDay(releasedOn), end].join(' ')
}

/** Reads what `writeDateLine` wrote. */
export function readDateLine(line: string): ModelDates {
  const [, released = absent, retires = absent] = line.split(' ')
  return { releasedOn: longDay(released), retiresOn: longDay(retires), isDeprecated: retires === deprecated }
}

/** The day that ends a snapshot's name: `…-2024-08-06`, `…-20250929`, `…-251228`. */
export function dayInName(name: string): string | null {
  const [, long, short] = /-(20\d\d-?\d\d-?\d\d|(\d{6}))$/.exec(name.toLowerCase().replace(/-v\d+:\d+$/, '')) ?? []
  const day = short === undefined ? long?.replaceAll('-', '') : `20${short}`
  if (day === undefined) return null
  const text = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  return Number.isNaN(Date.parse(text)) ? null : text
}

const shortDay = (day: string): string => day.slice(2).replaceAll('-', '')
const longDay = (text: string): string | null =>
  /^\d{6}$/.test(text) ? `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}` : null

function linesByName(): ReadonlyMap<string, string> {
  lines ??= new Map(`${dateText}\n${retiredText}`.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line]))
  return lines
}

/**
 * Models whose vendors end them and whose end the public lists do not know, as lines of `writeDateLine`. Where other vendors go on serving
 * a model, the id of the one that ends it stands before the name. https://platform.claude.com/docs/en/about-claude/model-deprecations,
 * https://www.alibabacloud.com/zh/notice/model_studionotice_on_the_decommissioning_of_certain_historical_mainline_models_731 with a
 * host's copy, https://docs.apiyi.com/en/live/2026-10/bailian-models-offline, and https://cloud.tencent.com/document/product/1823/131382
 */
const retiredText = `abab5.5-chat - x
abab5.5s-chat - x
abab6-chat - x
abab6.5-chat - x
abab6.5s-chat - x
anthropic/claude-3-5-haiku - 260219
anthropic/claude-opus-4 - 260615
anthropic/claude-opus-4-0 - 260615
anthropic/claude-opus-4-1 - 260805
anthropic/claude-sonnet-4 - 260615
anthropic/claude-sonnet-4-0 - 260615
dashscope/deepseek-r1 - 261010
dashscope/deepseek-v3 - 261010
dashscope/deepseek-v3.1 - 261010
dashscope/deepseek-v3.2 - 261010
dashscope/deepseek-v3.2-exp - 261010
dashscope/glm-4.5 - 261010
dashscope/glm-4.7 - 261010
dashscope/gummy-realtime-v1 - 261010
dashscope/qvq-max - 261010
dashscope/qvq-plus - 261010
dashscope/qwen-mt-turbo - 261010
dashscope/qwen-tts - 261010
dashscope/qwen-tts-realtime - 261010
dashscope/qwen-turbo - 261010
dashscope/qwen-vl-max - 261010
dashscope/qwen-vl-ocr-latest - 261010
dashscope/qwen-vl-plus - 261010
dashscope/qwen3-235b-a22b - 261010
dashscope/qwen3-235b-a22b-instruct-2507 - 261010
dashscope/qwen3-235b-a22b-thinking-2507 - 261010
dashscope/qwen3-30b-a3b - 261010
dashscope/qwen3-30b-a3b-instruct-2507 - 261010
dashscope/qwen3-30b-a3b-thinking-2507 - 261010
dashscope/qwen3-32b - 261010
dashscope/qwen3-coder-480b-a35b-instruct - 261010
dashscope/qwen3-coder-plus - 261010
dashscope/qwen3-max - 261010
dashscope/qwen3-max-preview - 261010
dashscope/qwen3-next-80b-a3b-instruct - 261010
dashscope/qwen3-vl-235b-a22b-instruct - 261010
dashscope/qwen3-vl-235b-a22b-thinking - 261010
dashscope/qwen3-vl-30b-a3b-thinking - 261010
dashscope/qwen3-vl-32b-thinking - 261010
dashscope/qwen3-vl-flash - 261010
dashscope/qwen3.6-max-preview - 261010
dashscope/qwq-plus - 261010
ernie-3.5-8k - 260630
ernie-4.0-8k - 260630
ernie-4.0-8k-latest - 260630
ernie-4.0-turbo-128k - 260630
ernie-4.0-turbo-8k - 260630
ernie-4.5-8k-preview - 260630
ernie-lite-8k - 260609
ernie-lite-pro-128k - 260630
ernie-speed-128k - 260609
ernie-speed-8k - 260609
ernie-speed-pro-128k - 260630
ernie-tiny-8k - 260609
ernie-x1-turbo-32k - 260630
gemini-1.5-flash - x
gemini-1.5-flash-8b - x
gemini-1.5-pro - x
glm-4.5-flash 250728 260130
hunyuan-lite - 260622
hunyuan-pro - 260622
hunyuan-standard - 260622
hunyuan-standard-256k - 260622
imagen-4.0-fast-generate-001 - 260817
imagen-4.0-generate-001 - 260817
imagen-4.0-ultra-generate-001 - 260817
kling-v1-6 - 260915
kling-v2-1 - 260915
kling-v2-1-master - 260915
sparkdesk-v3.5-32k - 260310
tencent/hunyuan-code - 260930
tencent/hunyuan-embedding - 260930
tencent/hunyuan-functioncall - 260930
tencent/hunyuan-large - 260930
tencent/hunyuan-large-longcontext - 260930
tencent/hunyuan-role - 260930
tencent/hunyuan-t1-latest - 260930
tencent/hunyuan-turbo-latest - 260930
tencent/hunyuan-turbos-latest - 260930
tencent/hunyuan-vision - 260930`
