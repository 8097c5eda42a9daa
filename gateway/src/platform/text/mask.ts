import { replaceWebTokens } from '../telemetry/log/redact'

/** Endings of host names, public and internal. Any other dotted name may be a field's path or a file. */
const hostEndings = [
  'com|net|org|io|ai|dev|app|cloud|info|biz|xyz|site|online|tech|edu|gov|cn|hk|tw|jp|kr|sg|in|uk|de|fr|nl|eu|us|ca|au|br|ru|ch',
  'internal|intern|intra|intranet|local|localdomain|lan|corp|home|private|svc|cluster|consul|arpa|example|test|invalid',
].join('|')

/** What vendors call the operator's account and its parts. */
const accountNouns =
  'organi[sz]ation|account|project|subscription|tenant|workspace|consumer|customer|uid|app ?id|resource group|账号|账户|帐号|帐户|组织|项目|租户|工作空间|主账号'
/** An id after such a noun: in quotes or brackets, or with a digit, a hyphen or an underscore in it. */
const namedId =
  '(?!\\[(?:account|key|address)\\])(?:["\'`“「<\\[(][^"\'`”」>\\])\\n]{1,100}["\'`”」>\\])]?|(?=[\\w.:-]{0,40}[\\d_-])[\\w.:-]{3,100})'

/** What must not reach a client in an upstream's message: keys, addresses, hosts, and whose account it is. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b(?:https?|wss?|socks5):\/\/[^\s"'<>)\]}]+/gi, '[address]'],
  [/\barn:[^\s"'<>)\]}]+/gi, '[account]'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9.-]{3,100}/gi, '[account]'],
  [
    /\b(projects|organizations|folders|billingAccounts|accounts|subscriptions|resourceGroups|tenants|workspaces)\/[^\s/"'<>),;]+/gi,
    '$1/[account]',
  ],
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, '[key]'],
  [/\b(?:sk|pk|rk|xai|gsk|key|ak|org|proj)-[\w*.-]{5,}[\w*]/gi, '[key]'],
  [/\borg-[\w-]{3,}/gi, '[account]'],
  [/\b(?:proj|org|acct|team|sess|hf|pplx|fw|tgp)_(?=[a-z]{0,40}\d)\w{8,}/gi, '[key]'],
  [/[\w-]{0,12}\*{3}[\w*-]*/g, '[key]'],
  [/(\b(?:ending|ends) (?:in|with)\s{1,3})["'`]?[\w-]{2,12}["'`]?/gi, '$1[key]'],
  [/(\b(?:key|token|secret)[^\w\n]{1,8})[\w-]{2,16}\.\.[\w.-]{2,20}/gi, '$1[key]'],
  [/\bAIza[\w*-]{10,}/g, '[key]'],
  [/\bgh[a-z]_[\w*]{10,}|\bgithub_pat_[\w*]{10,}/g, '[key]'],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\d.])/g, '[address]'],
  [/(?<![\w:])\[?(?:[\da-f]{1,4}:){7}[\da-f]{1,4}\]?(?::\d{1,5})?/gi, '[address]'],
  [
    /(?<![\w:])\[?(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::(?:[\da-f]{1,4}:){0,6}[\da-f]{1,4}\]?(?::\d{1,5})?/gi,
    '[address]',
  ],
  [/\blocalhost(?::\d{1,5})?/gi, '[address]'],
  [/(?<![\w.-])[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d{2,5}\b/gi, '[address]'],
  [
    new RegExp(`(?<![\\w.-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\\.){1,10}(?:${hostEndings})(?![\\w-]|\\.[a-z0-9])`, 'gi'),
    '[address]',
  ],
  [
    new RegExp(
      `((?:\\b|(?=[^\\x00-\\x7f]))(?:${accountNouns})(?:[ _-]?(?:id|ids|number|name|no|编号|名称))?(?:[\\s:=#：]|\\bis\\b){1,6})${namedId}`,
      'gi',
    ),
    '$1[account]',
  ],
]

const maxMessageLength = 2000
/** Masked before it is cut, so that no secret is cut in half and shown. */
const maxMaskedLength = 2 * maxMessageLength

/**
 * Returns an upstream's message as a client may see it: shortened, without keys, addresses and the given secrets, nor any part from which
 * a compound secret could be put together again.
 */
export function mask(message: string, secrets: readonly string[] = []): string {
  let text = message.slice(0, maxMaskedLength).replaceAll('\0', '')
  for (const part of secretParts(secrets)) text = text.replaceAll(part, '[key]')
  text = replaceWebTokens(text, '[key]')
  for (const [pattern, replacement] of masks) text = text.replace(pattern, replacement)
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text
}

/** Returns whether a text contains one of the secrets or a part of a compound one. */
export const holdsSecret = (text: string, secrets: readonly string[]): boolean =>
  secretParts(secrets).some((part) => text.includes(part))

/** Shorter than this, a separated part is an ordinary word. */
const minSecretLength = 4
/** Parts of parts are masked only when they are too long to be a word of a sentence. */
const minPieceLength = 8

/** Returns each secret, the parts of compound ones and the fields of those that are JSON; the longest first. */
function secretParts(secrets: readonly string[]): string[] {
  const parts = new Set<string>()
  for (const secret of secrets.flatMap(fieldsOf)) {
    for (const part of [secret, ...secret.split(/[|,\n]+/)].map((text) => text.trim())) {
      if (part.length >= minSecretLength) parts.add(part)
      for (const piece of part.split(/[\s/;:="']+/)) if (piece.length >= minPieceLength) parts.add(piece)
    }
  }
  return [...parts].sort((one, other) => other.length - one.length)
}

/** Members of a service account that do not identify its owner. */
const plainMembers: ReadonlySet<string> = new Set(['type', 'universe_domain'])

/** Returns the strings in a secret that is a JSON object, as service accounts are, with the secret itself. */
function fieldsOf(secret: string): string[] {
  if (!secret.trimStart().startsWith('{')) return [secret]
  try {
    const texts: string[] = [secret]
    JSON.parse(secret, (name, value: unknown) => {
      if (typeof value === 'string' && !plainMembers.has(name)) texts.push(value)
      return value
    })
    return texts
  } catch {
    return [secret]
  }
}
