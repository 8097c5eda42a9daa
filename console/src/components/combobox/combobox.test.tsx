import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'

import { aChannel } from '../../../test/channel-factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { ChannelSelect } from './channel-select'
import { choicesOf, matchingChoices } from './choice'
import { OwnGroupSelect } from './group-select'
import { ModelSelect } from './model-select'
import { SearchMultiSelect } from './search-multi-select'
import { SearchSelect, type SearchSelectProps } from './search-select'

const models = ['gpt-4o', 'gpt-4o-mini', 'my-gpt', 'o3']

interface OneProps extends Partial<SearchSelectProps> {
  readonly initial?: string | null
  readonly onChoose: (value: string | null) => void
}

function One({ initial = null, onChoose, ...rest }: OneProps) {
  const [value, setValue] = useState(initial)
  const change = (next: string | null) => {
    onChoose(next)
    setValue(next)
  }
  return <SearchSelect label="Model" choices={choicesOf(models)} {...rest} value={value} onChange={change} />
}

async function draw(props: Omit<OneProps, 'onChoose'> = {}) {
  const values: (string | null)[] = []
  const view = await renderConsole(<One {...props} onChoose={(value) => values.push(value)} />)
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Model' })
  return { ...view, values, field }
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

test('names that begin with the text come before those that contain it', () => {
  expect(matchingChoices(choicesOf(models), 'GPT').map(({ value }) => value)).toEqual([
    'gpt-4o',
    'gpt-4o-mini',
    'my-gpt',
  ])
})

test('typing after a click replaces the value, and Enter takes the first match', async () => {
  const { user, field, values } = await draw({ initial: 'gpt-4o-mini' })
  await user.click(field)
  await waitFor(() => expect(options()).toEqual(models))
  await user.keyboard('o3')
  expect(field.value).toBe('o3')
  await user.keyboard('{Enter}')
  expect(values).toEqual(['o3'])
  await user.keyboard('my{Enter}')
  expect(values).toEqual(['o3', 'my-gpt'])
})

test('icon of a choice is in the list, and in the field of the chosen one', async () => {
  const choices = models.map((value) => ({ value, label: value, icon: <i data-testid={`icon of ${value}`} /> }))
  const { user, field } = await draw({ initial: 'o3', choices })
  expect(screen.getAllByTestId('icon of o3')).toHaveLength(1)
  expect(screen.queryByTestId('icon of my-gpt')).toBeNull()
  await user.click(field)
  await waitFor(() => expect(screen.queryAllByTestId('icon of o3')).toHaveLength(2))
  expect(screen.getAllByTestId('icon of my-gpt')).toHaveLength(1)
})

test('a second click places the caret, so that a name can be edited', async () => {
  const { user, field } = await draw({ initial: 'gpt-4o' })
  await user.click(field)
  await user.click(field)
  await user.keyboard('-mini')
  expect(field.value).toBe('gpt-4o-mini')
})

test('arrow keys move through the list, and Escape keeps the value', async () => {
  const { user, field, values } = await draw({ initial: 'o3' })
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(values).toEqual(['gpt-4o'])
  await user.keyboard('my{Escape}')
  expect(field.value).toBe('gpt-4o')
  expect(options()).toEqual([])
})

/** Returns the text of the announced option, which must be the highlighted one. */
function readAnnouncement(field: HTMLElement): string | null {
  const highlighted = document.querySelector('[data-combobox-selected]')
  expect(field.getAttribute('aria-activedescendant')).toBe(highlighted?.id ?? null)
  return highlighted?.textContent ?? null
}

test('the highlighted option is announced when typing or arrow keys move the highlight', async () => {
  const { user, field, values } = await draw({ initial: 'o3' })
  await user.tab()
  await user.keyboard('gpt')
  expect(readAnnouncement(field)).toBe('gpt-4o')
  await user.keyboard('{ArrowDown}')
  expect(readAnnouncement(field)).toBe('gpt-4o-mini')
  await user.keyboard('-')
  expect(readAnnouncement(field)).toBe('gpt-4o')
  await user.keyboard('nothing')
  expect(readAnnouncement(field)).toBeNull()
  await user.clear(field)
  expect(readAnnouncement(field)).toBeNull()
  await user.keyboard('my{Enter}')
  expect(values).toEqual(['my-gpt'])
  expect(readAnnouncement(field)).toBeNull()
})

test('keys pressed before the list has rendered are not lost', async () => {
  const { user, field, values } = await draw({ initial: 'o3' })
  await user.click(field)
  fireEvent.change(field, { target: { value: 'gpt' } })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(values).toEqual(['gpt-4o-mini'])
})

test('text without a match says so and is not accepted', async () => {
  const { user, field, values } = await draw({ initial: 'o3' })
  await user.click(field)
  await user.keyboard('claude')
  screen.getByText('Nothing matches “claude”')
  await user.tab()
  expect(field.value).toBe('o3')
  expect(values).toEqual([])
})

test('free text is accepted on blur where it is allowed', async () => {
  const { user, field, values } = await draw({ free: (text) => ({ value: `%${text}%`, label: `contains ${text}` }) })
  await user.click(field)
  await user.keyboard('4o')
  expect(options()).toEqual(['contains 4o', 'gpt-4o', 'gpt-4o-mini'])
  await user.tab()
  expect(values).toEqual(['%4o%'])
})

test('a clearable field is cleared by its button and by deleting its text', async () => {
  const { user, field, values } = await draw({ initial: 'o3', isClearable: true })
  // The clear button is for the mouse only.
  await user.click(screen.getByRole('button', { hidden: true }))
  await user.click(field)
  await user.keyboard('gpt-4o{Enter}')
  await user.clear(field)
  await user.tab()
  expect(values).toEqual([null, 'gpt-4o', null])
})

test('several values are picked one after the other, and Backspace removes the last', async () => {
  function Several() {
    const [value, setValue] = useState<string[]>(['o3'])
    return <SearchMultiSelect label="Models" choices={choicesOf(models)} value={value} onChange={setValue} />
  }
  const { user } = await renderConsole(<Several />)
  const field = screen.getByRole('combobox', { name: 'Models' })
  await user.click(field)
  expect(options()).toEqual(['gpt-4o', 'gpt-4o-mini', 'my-gpt'])
  await user.keyboard('mini')
  expect(readAnnouncement(field)).toBe('gpt-4o-mini')
  await user.keyboard('{Enter}my{Enter}')
  expect(options()).toEqual(['gpt-4o'])
  await user.keyboard('{Backspace}')
  expect(options()).toEqual(['gpt-4o', 'my-gpt'])
  await user.click(screen.getAllByRole('button', { hidden: true })[0] ?? field)
  expect(options()).toEqual(['gpt-4o', 'my-gpt', 'o3'])
})

interface ChannelProps {
  readonly initial?: number
  readonly onChoose: (id: number | undefined) => void
}

function Channel({ initial, onChoose }: ChannelProps) {
  const [id, setId] = useState(initial)
  return (
    <ChannelSelect
      label="Channel"
      value={id}
      onChange={(next) => {
        onChoose(next)
        setId(next)
      }}
      isClearable
    />
  )
}

async function drawChannel(responses: Parameters<typeof serve>[0], initial?: number) {
  const calls = serve(responses)
  const ids: (number | undefined)[] = []
  const view = await renderConsole(<Channel initial={initial} onChoose={(id) => ids.push(id)} />)
  const keywords = () => calls.filter(({ path }) => path === '/api/channel/search').map(({ query }) => query['keyword'])
  return { ...view, ids, keywords, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'Channel' }) }
}

const page = (...items: object[]) => ({ items, page: 1, page_size: 20, total: items.length })
const dublin = aChannel({ id: 7, name: 'OpenAI Dublin' })

test('a channel is searched on the server and shown with its id', async () => {
  const { user, field, ids, keywords } = await drawChannel({
    'GET /api/channel/search': ({ query }) => (query['keyword'] === 'dublin' ? page(dublin) : page()),
    'GET /api/channel/7': () => dublin,
  })
  expect(keywords()).toEqual([])
  await user.click(field)
  await user.keyboard('dublin')
  await screen.findByRole('option', { name: /OpenAI Dublin\s*#7/ })
  expect(keywords().at(-1)).toBe('dublin')
  expect(keywords()).not.toContain('dubl')
  await user.keyboard('{Enter}')
  expect(ids).toEqual([7])
  await waitFor(() => expect(field.value).toBe('OpenAI Dublin'))
})

test('a channel from the address is named before any search', async () => {
  const { field, keywords } = await drawChannel({ 'GET /api/channel/7': () => dublin }, 7)
  await waitFor(() => expect(field.value).toBe('OpenAI Dublin'))
  expect(keywords()).toEqual([])
})

test('a superseded search is cancelled and its response not shown', async () => {
  const late = Promise.withResolvers<unknown>()
  const signals: AbortSignal[] = []
  const { user, field, keywords } = await drawChannel({
    'GET /api/channel/search': ({ query }, _headers, signal) => {
      if (query['keyword'] !== 'open')
        return query['keyword'] === 'paris' ? page(aChannel({ id: 9, name: 'Paris' })) : page()
      signals.push(signal)
      return late.promise
    },
  })
  await user.click(field)
  await user.keyboard('open')
  await waitFor(() => expect(keywords()).toContain('open'))
  screen.getByText('Searching…')
  await user.clear(field)
  await user.keyboard('paris')
  await screen.findByRole('option', { name: /Paris/ })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  late.resolve(page(dublin))
  await waitFor(() => expect(options()).toEqual(['Paris#9']))
})

test('a search without results, or a refused one, says so', async () => {
  const { user, field } = await drawChannel({
    'GET /api/channel/search': ({ query }) =>
      query['keyword'] === 'x' ? new Refusal('input.invalid', 'No such search') : page(),
  })
  await user.click(field)
  await user.keyboard('rome')
  await screen.findByText('Nothing matches “rome”')
  await user.clear(field)
  await user.keyboard('x')
  await screen.findByText('No such search')
})

test('the reader’s own group shows its ratio, and one no longer offered stays selected', async () => {
  serve({ 'GET /api/user/self/groups': () => ({ gold: { desc: 'Fast and dear', ratio: 4 } }) })
  const { user } = await renderConsole(<OwnGroupSelect label="Group" value="old" onChange={() => {}} />)
  const field = await screen.findByRole('combobox', { name: 'Group' })
  await user.click(field)
  await screen.findByRole('option', { name: /gold/ })
  expect(options()).toEqual(['old', expect.stringContaining('Fast and dear')])
})

test.each([
  ['site', 'GET /api/channel/models_enabled', '获取启用模型失败：数据库错误'],
  ['reader', 'GET /api/user/models', '数据库错误'],
] as const)(
  'a failure to read the models of the %s is shown at the field once it is focused',
  async (of, call, text) => {
    const calls = serve({ [call]: () => new Refusal('db.error', '数据库错误') })
    const { user } = await renderConsole(<ModelSelect of={of} label="模型" value={null} onChange={() => {}} />, {
      language: 'zh',
    })
    expect(calls).toEqual([])
    await user.click(screen.getByRole('combobox', { name: '模型' }))
    expect(await screen.findByText(text)).toBeTruthy()
  },
)
