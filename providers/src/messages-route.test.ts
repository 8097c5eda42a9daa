import type { DialectId } from '@tollgate/dialects'
import { expect, test } from 'bun:test'

import { descriptionOf, providerOf } from './index'

const chat = 'openai-chat'
const claude = 'anthropic-messages'
const [openRouter, cloudflare] = [20, 39]

test.each<[number, string, DialectId, DialectId]>([
  [openRouter, 'anthropic/claude-opus-5.5', claude, claude],
  [openRouter, 'anthropic/claude-opus-5.5', chat, chat],
  [openRouter, 'z-ai/glm-5.3', claude, chat],
  [cloudflare, 'anthropic/claude-opus-5.5', claude, claude],
  [cloudflare, 'anthropic/claude-opus-5.5', chat, chat],
  [cloudflare, '@cf/zai-org/glm-4.7-flash', claude, chat],
])('the vendor %d serves %s to a client of %s as %s', (type, model, dialect, expected) => {
  const provider = providerOf(type)
  const target = { model, key: 'k', other: '', body: {}, dialect }
  expect(provider && descriptionOf(provider, { mode: 'chat', dialect }, target)?.dialect).toBe(expected)
})
