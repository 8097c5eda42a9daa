import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { aLog } from '../../../../test/log-factory'
import { renderConsole } from '../../../../test/render'
import { DetailsCell } from './log-cells'

test.each([
  [2, 'Input 1,000 × $2.00/M + Output 100 × $8.00/M, group ×1'],
  [6, 'Upstream is overloaded'],
  [1, 'Redeemed a code'],
])('a row of type %d shows its text, as the gateway words it', async (type, content) => {
  await renderConsole(<DetailsCell row={aLog({ type, content })} />)
  expect(await screen.findByText(content)).toBeTruthy()
})
