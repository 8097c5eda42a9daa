import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { OptionControl } from './option-control'

async function draw(editor: 'aliases' | 'chains', initial: string) {
  serve({
    'GET /api/channel/models_enabled': () => Response.json({ success: true, message: '', data: ['gpt-4o'] }),
    'GET /api/group/': () => Response.json({ success: true, message: '', data: ['default', 'vip'] }),
  })
  const texts: string[] = []
  function Field() {
    const [value, setValue] = useState(initial)
    return (
      <OptionControl
        option={{ kind: 'json', editor }}
        value={value}
        onChange={(text) => {
          texts.push(text)
          setValue(text)
        }}
        field={{ label: 'Field', size: 'sm', classNames: {} }}
        isDisabled={false}
        isSet={false}
        choiceLabel={(choice) => choice}
      />
    )
  }
  const view = await renderConsole(<Field />)
  return { ...view, last: (): unknown => JSON.parse(texts.at(-1) ?? 'null') }
}

test('an alias is made of rules with conditions, and of models with weights', async () => {
  const targets = [{ model: 'gpt-4o', weight: 2 }]
  const { user, last } = await draw('aliases', JSON.stringify({ smart: [{ targets }] }))
  await user.type(await screen.findByLabelText('Input tokens from'), '500')
  await user.click(screen.getByRole('checkbox', { name: 'tools' }))
  expect(last()).toEqual({ smart: [{ min_tokens: 500, needs: ['tools'], targets }] })
  await user.click(screen.getByRole('button', { name: 'Add a rule' }))
  expect(last()).toMatchObject({ smart: [{ targets }, { targets: [{ model: '', weight: 1 }] }] })
  await user.click(screen.getByRole('button', { name: 'Remove the alias smart' }))
  expect(last()).toEqual({})
})

test('a chain keeps its reasons where it does not go on for all', async () => {
  const { user, last } = await draw('chains', JSON.stringify({ 'gpt-4o': { models: ['a', 'b'] } }))
  await user.click(await screen.findByRole('checkbox', { name: 'a refusal of the content' }))
  expect(last()).toEqual({ 'gpt-4o': { models: ['a', 'b'], on: ['failure', 'length'] } })
  await user.click(screen.getByRole('button', { name: 'Remove b from the chain' }))
  expect(last()).toEqual({ 'gpt-4o': { models: ['a'], on: ['failure', 'length'] } })
})

test('a text of another shape is edited as it is', async () => {
  await draw('aliases', '[1]')
  expect(JSON.parse((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Field' })).value)).toEqual([1])
})
