import { messageBatches } from '../batches/message-batches'
import { vendorBatchesField } from '../batches/vendor-batches'
import { keyFormat } from '../fields'
import { modelListAt } from '../model-list'
import { anthropicMessages, type ModeOptions } from '../modes'
import { claudeLogin, ownLoginFields } from '../own-login'
import { defineProvider, type ModeByTarget, type ModeDescription, type Target } from '../provider'
import { type Change, shapedAtHost, shapedWith } from '../shape'
import { betaHeader } from './anthropic-betas'
import { shapeAnthropic, withinClaude, withoutSampling } from './anthropic-shape'
import { betasAt, isMessagesHost, lacksServersAt, messagesLimitsAt, withComputerFunction } from './messages-hosts'

const baseUrl = 'https://api.anthropic.com'
/** Every host takes this one. */
const version = '2023-06-01'
/** From here on requests have no sampling. https://platform.claude.com/docs/en/api/migration-2026-10-21 */
const withoutSamplingSince = '2026-10-21'

const auth = ({ key }: Pick<Target, 'key'>): Record<string, string> => ({ 'x-api-key': key })

/** Hosts other than Anthropic need not have the newest, not for each of their models. */
function versionOf({ baseUrl: address, dialectHeaders }: Target): string {
  const requested = dialectHeaders?.['anthropic-version'] || version
  return requested === version || isMessagesHost(address) ? version : requested
}

const withinVersion: Change = (body, target, warn) =>
  versionOf(target) >= withoutSamplingSince ? withoutSampling(body, target, warn) : body

/** The version that the client was written for, and the trials it takes part in. https://platform.claude.com/docs/en/api/versioning */
function anthropicHeaders(target: Target): Record<string, string> {
  const { baseUrl: address, dialectHeaders } = target
  const beta = dialectHeaders?.['anthropic-beta']
  const taken = beta && address !== baseUrl ? betasAt(address) : undefined
  return {
    'anthropic-version': versionOf(target),
    ...(taken ? betaHeader(target, taken) : beta && { 'anthropic-beta': beta }),
  }
}

/** What the model and the version of the API take, in their words. */
const shapeMessages = shapedWith(shapeAnthropic, withinClaude, withinVersion, withComputerFunction)

/** Chats of a host of many makers that has Anthropic's models in Anthropic's words, too: clients of Messages keep all of theirs. */
export function withMessages(chat: ModeDescription, { headers, ...options }: ModeOptions): ModeByTarget {
  const messages = anthropicMessages({
    ...options,
    headers: (target) => ({ ...headers?.(target), ...anthropicHeaders(target) }),
    shape: shapeMessages,
    lacksRemoteServers: () => true,
  })
  return ({ model, dialect }) => (dialect === messages.dialect && model.startsWith('anthropic/') ? messages : chat)
}

const batches = messageBatches()

/** https://platform.claude.com/docs/en/api/overview */
export const anthropic = defineProvider({
  type: 14,
  id: 'anthropic',
  name: { en: 'Anthropic Claude', zh: 'Anthropic Claude' },
  baseUrl,
  auth,
  billsAbandoned: 'whole',
  key: keyFormat('sk-ant-…'),
  ownLogin: claudeLogin,
  modes: {
    chat: anthropicMessages({
      headers: anthropicHeaders,
      shape: shapedAtHost(shapeMessages, messagesLimitsAt),
      lacksRemoteServers: lacksServersAt,
    }),
  },
  batches: () => batches,
  fields: [vendorBatchesField, ...ownLoginFields],
  models: [
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-fable-5-1',
    'claude-opus-5',
    'claude-sonnet-5',
    'claude-opus-4-8',
    'claude-opus-4-7',
    'claude-opus-4-6',
    'claude-opus-4-6-thinking',
    'claude-sonnet-4-6',
    'claude-sonnet-4-6-thinking',
    'claude-opus-4-5-20251101',
    'claude-opus-4-5-20251101-thinking',
    'claude-sonnet-4-5-20250929',
    'claude-sonnet-4-5-20250929-thinking',
    'claude-haiku-4-5-20251001',
    'claude-haiku-4-5-20251001-thinking',
    'claude-opus-4-1-20250805',
    'claude-opus-4-1-20250805-thinking',
    'claude-opus-4-20250514',
    'claude-opus-4-20250514-thinking',
    'claude-sonnet-4-20250514',
    'claude-sonnet-4-20250514-thinking',
    'claude-3-7-sonnet-20250219',
    'claude-3-7-sonnet-20250219-thinking',
    'claude-3-5-sonnet-20241022',
    'claude-3-5-sonnet-20240620',
    'claude-3-5-haiku-20241022',
    'claude-3-opus-20240229',
    'claude-3-haiku-20240307',
  ],
  modelList: modelListAt(
    ({ baseUrl: base }) => `${base}/v1/models?limit=1000`,
    (target) => ({ ...auth(target), 'anthropic-version': version }),
  ),
})
