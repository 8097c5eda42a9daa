import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../test/render'
import { TagsField } from './tags-field'

test('words are separated by commas, semicolons and spaces, Chinese ones too', async () => {
  const seen: string[][] = []
  function Models() {
    const [value, setValue] = useState<string[]>([])
    seen.push(value)
    return <TagsField label="Models" value={value} onChange={setValue} />
  }
  const { user } = await renderConsole(<Models />)
  await user.type(screen.getByRole('combobox', { name: 'Models' }), 'a;b，c；d e{Enter}')
  expect(seen.at(-1)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
