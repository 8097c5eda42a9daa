import { dialects, type Dialect, type Usage } from '@tollgate/dialects'
import { describe, expect, test } from 'bun:test'

import { providers } from '../index'
import { describedBy, fixtureOf, withModes } from './fixture'

const vendors = await Promise.all(
  withModes(providers).map(async (provider) => ({ provider, fixture: await fixtureOf(provider) })),
)

for (const { provider, fixture } of vendors) {
  const usual = fixture.way ?? { mode: 'chat' }

  for (const { way = usual, answer, usage: wholeUsage, stream, streamUsage } of [fixture, ...fixture.others]) {
    const dialect = dialects[describedBy(provider, way).dialect]

    describe(`what ${provider.id} says in ${way.dialect ?? way.mode} ${way.model ?? ''} is understood`, () => {
      test('reads usage from a whole response', () => {
        const view = dialect.readAnswer(answer)
        expectUsage(view.usage, wholeUsage)
        expect(view.error).toBeNull()
      })

      if (stream === undefined) return
      test('reads usage from a stream wherever it is cut, and forwards it unchanged', () => {
        const bytes = new TextEncoder().encode(stream)
        const seen = new Set<string>()
        for (let cut = 0; cut <= bytes.length; cut += 1)
          seen.add(JSON.stringify(runTap(dialect, [bytes.subarray(0, cut), bytes.subarray(cut)])))
        expect(seen.size).toBe(1)
        const { forwarded, usage } = runTap(dialect, [bytes])
        expectUsage(usage, wholeUsage === null ? null : (streamUsage ?? wholeUsage))
        expect(forwarded).toBe(stream)
      })
    })
  }

  test(`a failure of ${provider.id} is understood`, () => {
    const { status, body, message } = fixture.error
    const { dialect } = describedBy(provider, usual)
    expect(dialects[dialect].readError(status, JSON.stringify(body)).message).toBe(message)
  })
}

function runTap(dialect: Dialect, chunks: readonly Uint8Array[]): { forwarded: string; usage: Usage | null } {
  const tap = dialect.createTap({ swallowUsage: false, addUsage: false })
  const parts: Uint8Array[] = chunks.map((chunk) => tap.push(chunk).slice())
  parts.push(tap.finish(tap.usage))
  return { forwarded: Buffer.concat(parts).toString(), usage: tap.usage }
}

function expectUsage(usage: Usage | null, expected: object | null): void {
  if (expected === null) expect(usage).toBeNull()
  else expect(usage).toMatchObject(expected)
}
