import { expect, test } from 'bun:test'
import { render } from '@testing-library/react'

import { Barrier } from './barrier'

test.each([
  ['down', 'waiting'],
  ['up', undefined],
  ['lifting', 'passed'],
] as const)('a barrier that is %s shows a call that is %s', (arm, call) => {
  const { container } = render(<Barrier arm={arm} />)
  expect(container.querySelector('[data-call]')?.getAttribute('data-call')).toBe(call)
})

test('the barrier is hidden from screen readers, since words say the same', () => {
  const { container } = render(<Barrier arm="down" sign="!" />)
  expect(container.firstElementChild?.getAttribute('aria-hidden')).toBe('true')
})
