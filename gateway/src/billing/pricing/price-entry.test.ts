import * as contract from '@tollgate/contract'
import * as models from '@tollgate/models'
import { expect, test } from 'bun:test'

/** Compiles only if each kind of entry can stand for the other. */
const asModels = (entry: contract.PriceEntry): models.PriceEntry => entry
const asContract = (entry: Mutable<models.PriceEntry>): contract.PriceEntry => entry

type Mutable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> } : Value

const entry: models.PriceEntry = {
  prices: { input: 5, output: 30, cache_read: 0.5, web_search: 10 },
  tiers: [{ above: 272_000, prices: { input: 10, output: 45 } }],
  modes: [
    { name: 'priority', match: { service_tier: 'priority' }, prices: { input: 12.5, output: 75 } },
    { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 },
  ],
  schedules: [{ name: 'night', zone: 'UTC', days: [1, 2, 3, 4, 5], from: '16:30', to: '00:30', factor: 0.5 }],
}

test('price entries of the catalog and of the contract have the same shape', () => {
  const parsed = contract.PriceEntry.parse(entry)
  expect(parsed).toEqual(asContract(structuredClone(entry) as Mutable<models.PriceEntry>))
  expect(asModels(parsed)).toEqual(entry)
})

test.each<[string, readonly string[], readonly string[]]>([
  ['tokens', contract.tokenClasses, models.tokenClasses],
  ['units', contract.unitClasses, models.unitClasses],
  ['tools', contract.toolClasses, models.toolClasses],
  ['all prices', contract.priceClasses, models.priceClasses],
  ['modes', contract.modeFields, models.modeFields],
])('the classes of %s are the same in the catalog and in the contract', (_name, ours, theirs) =>
  expect(ours).toEqual(theirs),
)

test.each([
  ['a class that does not exist', { prices: { inputs: 1 } }],
  ['a negative price', { prices: { input: -1 } }],
  ['a mode that matches everything', { prices: {}, modes: [{ name: 'all', match: {} }] }],
  [
    'a zone that does not exist',
    {
      prices: {},
      schedules: [{ name: 'night', zone: 'Mars/Olympus', days: [1], from: '00:00', to: '01:00', factor: 1 }],
    },
  ],
])('an entry with %s is refused', (_name, bad) => {
  expect(contract.PriceEntry.safeParse(bad).success).toBe(false)
})
