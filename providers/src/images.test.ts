import { describe, expect, test } from 'bun:test'

import { isObject, translationOf, type JsonObject } from '@tollgate/dialects'

import { providers } from './index'
import { descriptionOf, type ModeDescription, type Provider } from './provider'
import { aTarget, fixtureOf, withModes } from './vendors/fixture'

/** A count that no other member has. */
const count = 3

const bodies = {
  images: { prompt: 'ice', n: count },
  'image-edits': { prompt: 'ice', n: count, images: [{ image_url: 'data:image/png;base64,AAAA' }] },
} as const
const dialectOf = { images: 'openai-images', 'image-edits': 'openai-image-edits' } as const

/** What the vendor is sent for several images in one call. */
function writeBody(mode: keyof typeof bodies, description: ModeDescription, model: string): JsonObject {
  const dialect = dialectOf[mode]
  const body = { ...bodies[mode], model }
  const call =
    dialect === description.dialect
      ? body
      : translationOf(dialect, description.dialect)?.(body, { model: '', isStream: false }, model).body
  if (!call) throw new Error(`There is no translation to ${description.dialect}`)
  return description.shape?.(call, aTarget({ mode, model })).body ?? call
}

const holds = (value: unknown): boolean =>
  value === count || (isObject(value) ? Object.values(value).some(holds) : Array.isArray(value) && value.some(holds))

/** The models of the vendor's fixture that draw. */
async function drawing(provider: Provider, mode: keyof typeof bodies): Promise<readonly string[]> {
  const { cases } = await fixtureOf(provider)
  return cases.filter((known) => known.mode === mode).map(({ model, request }) => model ?? String(request['model']))
}

const modes = withModes(providers).flatMap((provider) =>
  (['images', 'image-edits'] as const)
    .filter((mode) => provider.modes[mode] !== undefined)
    .map((mode) => [provider.id, mode, provider] as const),
)

describe('several images', () => {
  test.each(modes)(
    'a call of %s (%s) names their number, or its vendor is known to draw one',
    async (_, mode, provider) => {
      const models = await drawing(provider, mode)
      expect(models).not.toBeEmpty()
      for (const model of models) {
        const target = { model, key: '', other: '', body: { ...bodies[mode], model } }
        const description = descriptionOf(provider, { mode, dialect: dialectOf[mode] }, target)
        if (!description) throw new Error(`${provider.id} does not draw`)
        const isRequested = description.maxImages === 1 || holds(writeBody(mode, description, model))
        expect({ model, isAsked: isRequested }).toEqual({ model, isAsked: true })
      }
    },
  )
})
