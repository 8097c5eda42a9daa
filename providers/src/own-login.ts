import { settingSwitch } from './fields'
import type { EditorField, OwnLogin, Target } from './provider'

/** Claude Code, and Anthropic's SDKs. https://code.claude.com/docs/en/llm-gateway */
export const claudeLogin: OwnLogin = {
  sent: [
    'anthropic-beta',
    'anthropic-version',
    'anthropic-dangerous-direct-browser-access',
    'user-agent',
    'x-app',
    'x-client-request-id',
    'x-stainless-*',
    'x-claude-code-*',
  ],
  returned: [
    'anthropic-ratelimit-unified-status',
    'anthropic-ratelimit-unified-reset',
    'anthropic-ratelimit-unified-fallback',
    'anthropic-ratelimit-unified-fallback-percentage',
    'anthropic-ratelimit-unified-representative-claim',
    'anthropic-ratelimit-unified-5h-status',
    'anthropic-ratelimit-unified-5h-reset',
    'anthropic-ratelimit-unified-5h-utilization',
    'anthropic-ratelimit-unified-7d-status',
    'anthropic-ratelimit-unified-7d-reset',
    'anthropic-ratelimit-unified-7d-utilization',
    'anthropic-ratelimit-unified-overage-status',
    'anthropic-ratelimit-unified-overage-reset',
    'anthropic-ratelimit-unified-overage-disabled-reason',
  ],
}

/** Codex, and OpenAI's SDKs. https://github.com/openai/codex/blob/main/docs/config.md */
export const codexLogin: OwnLogin = {
  sent: [
    'chatgpt-account-id',
    'conversation_id',
    'openai-beta',
    'openai-organization',
    'openai-project',
    'originator',
    'session_id',
    'session-id',
    'thread_id',
    'thread-id',
    'user-agent',
    'version',
    'x-client-request-id',
    'x-codex-*',
    'x-openai-subagent',
    'x-stainless-*',
  ],
  returned: [
    'x-codex-turn-state',
    'x-codex-primary-used-percent',
    'x-codex-primary-window-minutes',
    'x-codex-primary-reset-at',
    'x-codex-primary-reset-after-seconds',
    'x-codex-secondary-used-percent',
    'x-codex-secondary-window-minutes',
    'x-codex-secondary-reset-at',
    'x-codex-secondary-reset-after-seconds',
    'x-codex-credits-has-credits',
    'x-codex-credits-unlimited',
    'x-codex-credits-balance',
  ],
}

/** Identifies an account. */
const secret: ReadonlySet<string> = new Set(['chatgpt-account-id', 'openai-organization', 'openai-project'])

const logins = [claudeLogin, codexLogin]

const matches = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))

/** Returns whether a client sends this header with its own login, and its value is not a secret. `name` in lower case. */
export const isPlainLoginHeader = (name: string): boolean =>
  !secret.has(name) && logins.some(({ sent }) => matches(name, sent))

/** Returns the headers of a client that go on to the vendor with its own login. */
export const loginHeaders = ({ sent }: OwnLogin, client: Headers): Record<string, string> =>
  Object.fromEntries([...client].filter(([name]) => matches(name, sent)))

type LoginSetting = Pick<Target, 'setting'>

const allowed = settingSwitch('own_login', {
  label: { en: 'Clients bring their own login', zh: '客户端使用自己的登录' },
  hint: {
    en: 'For Claude Code and Codex with a subscription: the client sends the key of this site as Tollgate-Key, and its own token goes on to the vendor. It is never stored. Calls without one use the key of the channel; a channel without a key takes none of them.',
    zh: '适用于以订阅登录的 Claude Code 和 Codex：客户端用 Tollgate-Key 请求头携带本站密钥，自己的令牌直接转发给供应商，从不保存。没有自带令牌的请求使用渠道密钥；渠道未填写密钥时，这类请求不会发往此渠道。',
  },
})

const factor = 'own_login_factor'

/** Returns whether a channel takes logins of clients. */
export const takesOwnLogins = allowed.isOn

/** Returns what multiplies the price of calls with such a login; unless the channel sets it they cost nothing. */
export function ownLoginFactor({ setting }: LoginSetting): number {
  const value = setting?.[factor]
  return typeof value === 'number' ? value : 0
}

/** The fields of the channel editor, for vendors whose clients have logins of their own. */
export const ownLoginFields: readonly EditorField[] = [
  allowed.field,
  {
    name: `setting.${factor}`,
    kind: 'number',
    label: { en: 'Price factor for own logins', zh: '自带登录的计费倍率' },
    hint: {
      en: 'Multiplies the price of calls with a login of their own. 0, the default: they are logged with their usage and cost nothing.',
      zh: '自带登录的请求按此倍率计费。默认 0：照常记录用量，但不收费。',
    },
    placeholder: '0',
  },
]
