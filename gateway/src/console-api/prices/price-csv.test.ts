import { PriceEntry } from '@tollgate/contract'
import { catalogedPrices, catalogPriceOf } from '@tollgate/models'
import { describe, expect, test } from 'bun:test'

import { priceCsvHead, priceCsvLines, readPriceCsv } from './price-csv'

const roundTrip = (model: string, entry: PriceEntry) => readPriceCsv(priceCsvHead + priceCsvLines(model, entry))

describe('prices as a table', () => {
  test('prices of every model on the list survive a round trip', () => {
    const listed = catalogedPrices().map((name) => [name, PriceEntry.parse(catalogPriceOf(name))] as const)
    const text = priceCsvHead + listed.map(([name, entry]) => priceCsvLines(name, entry)).join('')
    const { entries, faults } = readPriceCsv(text)
    expect(faults).toEqual([])
    expect([...entries]).toEqual(listed.map(([name, entry]) => [name, entry]))
  })

  test('explicitly empty parts, and names that a spreadsheet would run, survive a round trip', () => {
    const entry: PriceEntry = { prices: { input: 1 }, tiers: [], modes: [], schedules: [] }
    expect([...roundTrip('=big, "1"', entry).entries]).toEqual([['=big, "1"', entry]])
  })

  test('ratios are exported as the prices they stand for', () => {
    expect([...roundTrip('big-1', { prices: { input: 2 }, ratios: { output: 4 } }).entries]).toEqual([
      ['big-1', { prices: { input: 2, output: 8 } }],
    ])
  })

  test('a table may have only the columns of a spreadsheet', () => {
    const { entries, faults } = readPriceCsv('model,output,input\nbig-1,8,$2\n\nbig-2,,1')
    expect(faults).toEqual([])
    expect(Object.fromEntries(entries)).toEqual({
      'big-1': { prices: { input: 2, output: 8 } },
      'big-2': { prices: { input: 1 } },
    })
  })

  test.each([
    ['', 1, /model/],
    ['name,input\nx,1', 1, /model/],
    ['model,price\nx,1', 1, /unknown columns: price/],
    ['model,input\n,1', 2, /no model/],
    ['model,input\n"\n",1', 2, /no model/],
    ['model,input\n"\n"\n"', 2, /no model/],
    [`model,input\n${'x'.repeat(256)},1`, 2, /255/],
    ['model,input\nx,cheap', 2, /input: cheap is not a number/],
    ['model,input\nx,1\ny,-1', 3, /^prices\.input: /],
    ['model,part,above,input\nx,tier,,2', 2, /^tiers\.0\.above: /],
    ['model,part,name,above,input\nx,mode_tier,fast,9,2', 2, /no mode is called fast/],
    ['model,part\nx,discount', 2, /unknown part: discount/],
  ])('%j is refused at line %d', (text, line, reason) => {
    const { faults } = readPriceCsv(text)
    expect(faults.map((fault) => fault.line)).toContain(line)
    expect(faults.find((fault) => fault.line === line)?.reason).toMatch(reason)
  })
})
