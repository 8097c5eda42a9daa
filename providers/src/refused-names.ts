/** What a refusal says, in whatever shape it came. */
export interface RefusalText {
  readonly message: string
  readonly code: string
  readonly param: string | null
}

/** What a refusal names as not taken, in the upstream's own words. */
export interface RefusedNames {
  /** Paths of members, as `system.0.cache_control.ephemeral.scope`. */
  readonly members: readonly string[]
  readonly betas: readonly string[] | 'all'
  /** Types of tools. */
  readonly tools: readonly string[]
  /** The role of a developer. */
  readonly isDeveloper: boolean
  /** Reasoning that another account, vendor or model sealed. */
  readonly isReasoning: boolean
  /** The member is refused for its value, or for what else is in the request: other requests may have it. */
  readonly isConditional: boolean
}

/** What stands before one name or several. */
const leads: readonly RegExp[] = [
  /\b(?:unsupported|unknown|unrecognized|unexpected|extra) (?:request |keyword )?(?:parameter|argument|field|property|key|option)(?:s|\(s\))?(?: in object| supplied| provided)?:? /i,
  /\b(?:parameter|argument|field)s? (?:is |are )?not supported[^:\n]{0,40}: /i,
  /\bdoes not support (?:the )?(?:following )?(?:parameter|argument|field)s?:? /i,
  /\badditional properties are not allowed \(/i,
  /(?:不支持|未知|无法识别|未识别)的?(?:请求)?(?:参数|字段|属性)[ :：]{0,2}/,
]

/** What stands around a name; of two groups the first is the place. */
const forms: readonly RegExp[] = [
  /\bunsupported value: '([\w.[\]]{1,200})' does not support/i,
  /\b(?:parameter|argument|field|property|key) [`'"]([\w.[\]]{1,200})[`'"] (?:is|are) (?:not (?:supported|allowed|permitted|recognized)|unsupported|unknown)/i,
  /\bdoes not support (?:the )?[`'"]?(\w{1,80})[`'"]? (?:parameter|argument|field)\b/i,
  /[`'"]([\w.[\]]{1,200})[`'"](?: parameter)? (?:is|are) (?:not (?:yet )?(?:supported|allowed|permitted|recognized)|unsupported|deprecated)\b/i,
  // Moonshot, of values that it fixes.
  /\binvalid (\w{1,80}): only [\w.]{1,20} is allowed/i,
  // Anthropic, and what is made with pydantic.
  /(?<![\w$#/.[\]-])([\w$#/.[\]-]{1,200}): ?extra (?:inputs|fields) (?:are )?not permitted/i,
  /\bextra (?:inputs|fields) (?:are )?not permitted, field: '([\w.[\]]{1,200})'/i,
  // vLLM, which writes what pydantic says as Python does.
  /'loc': \(([^()]{1,200})\), 'msg': 'extra (?:inputs|fields)/i,
  // Bedrock.
  /(#[\w/]{0,200}): extraneous key \[(\w{1,80})\] is not permitted/i,
  /\bextraneous key \[(\w{1,80})\]/i,
  // Groq.
  /'([\w.]{1,200})' : property '(\w{1,80})' is unsupported/i,
  /(?:参数|字段|属性)[ :：]{0,2}[`'"]?(\w{1,80})[`'"]? ?(?:不被?支持|未知|无法识别)/,
  /不支持 ?[`'"]?([a-z_.]{2,80})[`'"]? ?(?:参数|字段)/i,
]

/** Google names each at its place, one a line. */
const googleForm =
  /^(?:Invalid JSON payload received\. )?Unknown name "(\w{1,80})"(?: at '([\w.[\]]{1,200})')?: Cannot find field/gim

const betaForms = {
  named: /\bunexpected value\(s\) ((?:`[\w.-]{1,100}`(?:, )?){1,20}) for the `?anthropic-beta`? header/i,
  any: /\binvalid beta flag/i,
}

const toolForms: readonly RegExp[] = [
  /\btools\.\d{1,4}: input tag '([\w.-]{1,80})' found using 'type'/i,
  /\btools?\b[^\n]{0,20}\btool type ["'`]([\w.-]{1,80})["'`] is not supported/i,
  /\b(?:unsupported|unknown) tool type:? ["'`]?([\w.-]{1,80})/i,
]

const developerForms: readonly RegExp[] = [/\brole\b[^\n]{0,60}\bdeveloper\b/i, /\bdeveloper\b[^\n]{0,120}\brole\b/i]

const reasoningForms: readonly RegExp[] = [
  /\bencrypted[_ ]content\b[^\n]{0,120}\b(?:could not be|cannot be|invalid|not be) (?:verified|decrypted|parsed)/i,
  /\binvalid [`'"]?signature[`'"]? in [`'"]?thinking/i,
  /\bthinking\.signature: field required/i,
  /\bthinking[`'"]? (?:or [`'"]?redacted_thinking[`'"]? )?blocks in the latest assistant message cannot be modified/i,
  /\bof type 'reasoning' was provided without its required following item/i,
  /\bwas provided without its required 'reasoning' item/i,
  /\b(?:corrupted|invalid|expired) thought[ _]?signature/i,
  /\bthought[ _]?signature\b[^\n]{0,20}\b(?:not valid|invalid|corrupted)/i,
  /\bitem (?:with id )?'rs_\w{1,200}' not found/i,
]

/** A vendor that takes one value alone refuses the member, whatever the request says. */
const fixedValue = /\bonly (?:the default|[\w.]{1,20} is allowed)/i
const refusedValue = /\bunsupported value\b|\b(?:supported|allowed|valid|possible|permitted) values\b|取值/i
const refusedInCombination =
  /\b(?:when|while|if|unless|until|together|combin(?:e|ed|ing|ation)|at the same time|both|mutually|alongside|streaming|non-streaming)\b|同时|仅当|当/i

/** Codes by which OpenAI says that `param` names a member that it does not take. */
const memberCodes: ReadonlySet<string> = new Set(['unsupported_parameter', 'unknown_parameter', 'unsupported_value'])

const noNames: readonly string[] = []

/** Returns what a refusal names; null: nothing that could be left out. */
export function refusedNames({ message, code, param }: RefusalText): RefusedNames | null {
  const betas = betasIn(message)
  const tools = firstOf(toolForms, message)?.slice(1, 2) ?? noNames
  const isDeveloper = developerForms.some((form) => form.test(message))
  const isReasoning = code === 'invalid_encrypted_content' || reasoningForms.some((form) => form.test(message))
  const isOther = betas.length > 0 || tools.length > 0 || isDeveloper || isReasoning
  const members = isOther ? noNames : membersIn(message, code, param)
  if (!isOther && members.length === 0) return null
  return { members, betas, tools, isDeveloper, isReasoning, isConditional: isConditional(message, code) }
}

const isConditional = (message: string, code: string): boolean =>
  refusedInCombination.test(message) ||
  (!fixedValue.test(message) && (code === 'unsupported_value' || refusedValue.test(message)))

function betasIn(message: string): readonly string[] | 'all' {
  const named = betaForms.named.exec(message)?.[1]
  if (named !== undefined) return [...named.matchAll(/[\w.-]+/g)].map(([beta]) => beta)
  return betaForms.any.test(message) ? 'all' : noNames
}

function membersIn(message: string, code: string, param: string | null): readonly string[] {
  if (param !== null && param !== '' && memberCodes.has(code)) return [param]
  const google = [...message.matchAll(googleForm)].slice(0, maxNames)
  if (google.length > 0) return google.map(([, last = '', at = '']) => (at === '' ? last : `${at}.${last}`))
  return firstMember(message)
}

/** Returns the names that stand first: what follows may be words of the caller that the upstream repeats. */
function firstMember(message: string): readonly string[] {
  const lead = firstOf(leads, message)
  const match = firstOf(forms, message)
  if (lead && (!match || lead.index < match.index)) return listAt(message, lead.index + lead[0].length)
  if (!match) return noNames
  const [, one = '', two] = match
  return [two === undefined ? pathIn(one) : `${one}.${two}`]
}

/** A tuple of Python, as `'body', 'messages', 0`, as a path. */
const pathIn = (text: string): string =>
  text.includes("'")
    ? text
        .split(',')
        .map((step) => step.trim().replaceAll("'", ''))
        .filter((step) => step !== '' && step !== 'body')
        .join('.')
    : text

function firstOf(patterns: readonly RegExp[], message: string): RegExpExecArray | null {
  let first: RegExpExecArray | null = null
  for (const pattern of patterns) {
    const match = pattern.exec(message)
    if (match && (first === null || match.index < first.index)) first = match
  }
  return first
}

const maxNames = 20

/** Returns the names from here on, quoted or not, until something else than a comma follows. */
function listAt(message: string, start: number): readonly string[] {
  const names: string[] = []
  const name = /\[?[`'"]?([\w$#/][\w$#/.[\]-]{0,199})[`'"]?(,? and |, ?)?/y
  name.lastIndex = start
  for (let match = name.exec(message); match && names.length < maxNames; match = name.exec(message)) {
    names.push(match[1] ?? '')
    if (match[2] === undefined) break
  }
  return names.map((text) => text.replace(/[.\]]$/, (end) => (end === ']' && /\[\d*\]$/.test(text) ? end : '')))
}
