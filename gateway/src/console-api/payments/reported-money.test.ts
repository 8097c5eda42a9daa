import { expect, test } from 'bun:test'

import { reportedMoney } from './find-orders'

test.each([
  ['{"trade_no":"1","money":"1.00"}', { money: '1.00', currency: 'CNY' }],
  ['{"id":"evt_1","amount":1234,"currency":"USD"}', { money: '12.34', currency: 'USD' }],
  ['{"id":"cs_1","amount_total":500,"currency":"jpy"}', { money: '500', currency: 'JPY' }],
  ['{"currency":"usd"}', null],
  ['{"money":"1.0', null],
  ['', null],
])('the report %p is of the amount %j', (payload, money) => {
  expect(reportedMoney(payload)).toEqual(money)
})
