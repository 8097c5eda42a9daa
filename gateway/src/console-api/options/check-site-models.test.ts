import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { defaultOptions, type OptionKey, type OptionValues } from '@tollgate/contract'

import { createChannelWorld } from '../../../test/channel-world'
import { AppError } from '../../platform/app-error'
import { sentence } from '../../platform/locales/sentence'
import { checkSiteModels } from './check-site-models'

type NamedModels = Partial<Pick<OptionValues, 'ModelAliases' | 'ModelChains'>>

let world: Awaited<ReturnType<typeof createChannelWorld>>
beforeAll(async () => {
  world = await createChannelWorld('sqlite')
  await world.aChannel({ models: 'gpt-4o,gpt-4o-mini,own-model' })
  const off = await world.aChannel({ models: 'claude-sonnet-4-5' })
  await world.ask('PUT', '/api/channel/', { id: off.id, status: 2 })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the sentence that refuses a change; null where it is accepted. */
function refusalOf(after: NamedModels, before: NamedModels = {}): string | null {
  const changed = new Set<OptionKey>(['ModelAliases', 'ModelChains'])
  const noKeys = new Set<OptionKey>()
  const proposal = { before: { ...defaultOptions, ...before }, after: { ...defaultOptions, ...after }, changed }
  try {
    checkSiteModels({ ...proposal, secretsBefore: noKeys, secretsAfter: noKeys }, world.ctx.catalog.current)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return sentence(error.code, error.params, 'en')
  }
}

const leadsTo = (...models: string[]) => [{ targets: models.map((model) => ({ model, weight: 1 })) }]

describe('aliases and chains that are saved', () => {
  test.each<[string, NamedModels, string | null]>([
    ['an alias of models', { ModelAliases: { smart: leadsTo('gpt-4o', 'gpt-4o-mini') } }, null],
    ['a chain of models', { ModelChains: { 'gpt-4o': { models: ['gpt-4o-mini'] } } }, null],
    ['a chain of a disabled model', { ModelChains: { 'claude-sonnet-4-5': { models: ['gpt-4o'] } } }, null],
    [
      'a chain of an alias',
      { ModelAliases: { smart: leadsTo('gpt-4o') }, ModelChains: { smart: { models: ['gpt-4o-mini'] } } },
      null,
    ],
    [
      'an alias with the name of a model',
      { ModelAliases: { 'gpt-4o': leadsTo('gpt-4o-mini') } },
      'Channels serve a model named gpt-4o. An alias needs a name of its own.',
    ],
    [
      'an alias of itself',
      { ModelAliases: { smart: leadsTo('smart') } },
      'smart: smart is an alias. An alias leads to models alone.',
    ],
    [
      'aliases of one another',
      { ModelAliases: { smart: leadsTo('clever'), clever: leadsTo('smart') } },
      'smart: clever is an alias. An alias leads to models alone.',
    ],
    [
      'an alias of an unknown model',
      { ModelAliases: { smart: leadsTo('gpt-4o', 'gpt-9') } },
      'smart: no channel serves the model gpt-9.',
    ],
    [
      'an alias of a model without a price',
      { ModelAliases: { smart: leadsTo('own-model') } },
      'smart: the model own-model has no price.',
    ],
    [
      'a chain that leads back',
      { ModelChains: { 'gpt-4o': { models: ['gpt-4o-mini', 'gpt-4o'] } } },
      'The chain of gpt-4o leads back to gpt-4o.',
    ],
    [
      'a chain to an alias',
      { ModelAliases: { smart: leadsTo('gpt-4o-mini') }, ModelChains: { 'gpt-4o': { models: ['smart'] } } },
      'The chain of gpt-4o: smart is an alias. A chain leads to models alone.',
    ],
    [
      'a chain of an unknown name',
      { ModelChains: { 'gpt-9': { models: ['gpt-4o'] } } },
      'The chain of gpt-9: no channel serves this model, and there is no alias of this name.',
    ],
    [
      'a chain to a model without a price',
      { ModelChains: { 'gpt-4o': { models: ['own-model'] } } },
      'gpt-4o: the model own-model has no price.',
    ],
  ])('%s: %j', (_, options, refusal) => expect(refusalOf(options)).toBe(refusal))

  test('an alias whose model went away does not stand in the way of another', () => {
    const before = { ModelAliases: { old: leadsTo('gpt-9') } }
    expect(refusalOf({ ModelAliases: { ...before.ModelAliases, smart: leadsTo('gpt-4o') } }, before)).toBeNull()
  })
})
