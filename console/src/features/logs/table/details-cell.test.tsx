import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aLog } from '../../../../test/log-factory'
import { renderConsole } from '../../../../test/render'
import { DetailsCell } from './details-cell'

test('a charged call shows its ratios in the reader’s language, whatever the row’s own text', async () => {
  const row = aLog({
    content: 'Model ratio 0.55',
    details: { model_ratio: 0.55, completion_ratio: 4, group_ratio: 0.8 },
  })
  await renderConsole(<DetailsCell row={row} />, { language: 'zh' })
  expect(await screen.findByText('模型倍率 0.55，补全倍率 4，分组倍率 0.8')).toBeTruthy()
})

test('a fixed price is shown as such', async () => {
  await renderConsole(<DetailsCell row={aLog({ details: { model_price: 0.04, group_ratio: 2 } })} />)
  expect(await screen.findByText('$0.04 per call, group ratio 2')).toBeTruthy()
})

test('other rows show their own text', async () => {
  await renderConsole(<DetailsCell row={aLog({ type: 6, content: 'Upstream is overloaded' })} />)
  expect(await screen.findByText('Upstream is overloaded')).toBeTruthy()
})
