import { dialects, type Usage } from '@tollgate/dialects'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { providers } from '../index'
import { fixtureOf } from './fixture'

const vendors = await Promise.all(providers.map(async (provider) => ({ provider, fixture: await fixtureOf(provider) })))

for (const { provider, fixture } of vendors) {
  const mode = fixture.answer['object'] === 'list' ? provider.modes.embeddings : provider.modes.chat
  const dialect = dialects[mode?.dialect ?? 'openai-chat']
  const omitsReasoning = provider.modes.chat?.usageOmitsReasoning

  describe(`what ${provider.id} says is understood`, () => {
    test('as an answer', () => {
      const view = dialect.readAnswer(fixture.answer, { omitsReasoning })
      expect(view.usage).toMatchObject(fixture.usage)
      expect(view.error).toBeNull()
    })

    test('as a stream, however it is cut, and passes as it came', () => {
      const bytes = new TextEncoder().encode(fixture.stream)
      fc.assert(
        fc.property(fc.integer({ min: 0, max: bytes.length }), (cut) => {
          const { forwarded, usage } = tapped([bytes.subarray(0, cut), bytes.subarray(cut)], omitsReasoning)
          expect(usage).toMatchObject(fixture.streamUsage)
          expect(forwarded).toBe(fixture.stream)
        }),
        { numRuns: 25 },
      )
    })

    test('as a failure', () => {
      const { status, body, message } = fixture.error
      expect(dialect.readError(status, JSON.stringify(body)).message).toBe(message)
    })
  })
}

function tapped(chunks: readonly Uint8Array[], omitsReasoning?: boolean): { forwarded: string; usage: Usage | null } {
  const tap = dialects['openai-chat'].createTap({ omitsReasoning, swallowUsage: false, addUsage: false })
  const parts: Uint8Array[] = chunks.map((chunk) => tap.push(chunk).slice())
  parts.push(tap.finish(tap.usage))
  return { forwarded: Buffer.concat(parts).toString(), usage: tap.usage }
}
