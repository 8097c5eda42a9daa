import type Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'bun:test'

import { objectOf } from '../../core/neutral/read'
import { readToolset } from './toolsets'

/** The inputs of the members as the vendor publishes them: a new member, or a new input of one, does not compile until it stands here. */
type Inputs<Block extends { readonly name: string; readonly input: object }> = {
  readonly [Name in Block['name']]: Required<Extract<Block, { readonly name: Name }>['input']>
}

const point = [1, 2]
const click = { coordinate: point, text: 'shift' }
const computer = {
  screenshot: {},
  zoom: { region: [0, 0, 1, 1] },
  cursor_position: {},
  mouse_move: { coordinate: point },
  left_click: click,
  right_click: click,
  middle_click: click,
  double_click: click,
  triple_click: click,
  left_click_drag: { ...click, start_coordinate: point },
  left_mouse_down: {},
  left_mouse_up: {},
  scroll: { ...click, scroll_direction: 'up', scroll_amount: 1 },
  type: { text: 'a' },
  key: { text: 'a', repeat: 2 },
  hold_key: { text: 'a', duration: 1 },
  wait: { duration: 1 },
} satisfies Inputs<Anthropic.Beta.BetaComputerToolUseBlock>

const tab = { tab_id: 't' }
const target = { type: 'coordinate', x: 1, y: 2 } as const
const element = { type: 'ref', ref: 'ref_1' } as const
const clickAt = { ...tab, target, modifiers: 'shift' }
const browser = {
  navigate: { ...tab, url: 'https://a.example' },
  list_tabs: {},
  new_tab: {},
  switch_tab: tab,
  close_tab: tab,
  read_page: { ...tab, depth: 1, filter: 'all', ref: 'ref_1' },
  get_page_text: tab,
  read_console: tab,
  read_network: tab,
  find: { ...tab, query: 'a' },
  form_input: { ...tab, target: element, value: true },
  file_upload: { ...tab, target: element, paths: ['a'], document_ids: ['b'] },
  scroll_to: { ...tab, target: element },
  screenshot: tab,
  zoom: { ...tab, region: [0, 0, 1, 1] },
  left_click: clickAt,
  right_click: clickAt,
  middle_click: clickAt,
  double_click: clickAt,
  triple_click: clickAt,
  hover: { ...tab, target },
  left_click_drag: { ...tab, target, from: target },
  left_mouse_down: { ...tab, target },
  left_mouse_up: { ...tab, target },
  mouse_move: { ...tab, target },
  scroll: { ...tab, target, scroll_direction: 'up', scroll_amount: 1 },
  type: { ...tab, text: 'a' },
  key: { ...tab, text: 'a', repeat: 2 },
  hold_key: { ...tab, text: 'a', duration: 1 },
  wait: { ...tab, duration: 1 },
  javascript_exec: { ...tab, text: '1' },
} satisfies Inputs<Anthropic.Beta.BetaBrowserToolUseBlock>

const sorted = (names: Iterable<string>): string[] => [...names].sort()

test.each([
  ['computer_toolset_20260801', computer],
  ['browser_toolset_20260801', browser],
])(
  '%s offers the members and inputs that the vendor publishes',
  (type, published: Readonly<Record<string, object>>) => {
    const configs = Object.fromEntries(Object.keys(published).map((name) => [name, { enabled: true }]))
    const tools = readToolset({ type, configs }) ?? []
    const offered = Object.fromEntries(
      tools.map(({ origin, schema }) => [origin?.name, sorted(Object.keys(objectOf(schema['properties'])))]),
    )
    const expected = Object.entries(published).map(([name, input]) => [name, sorted(Object.keys(input))])
    expect(offered).toEqual(Object.fromEntries(expected))
  },
)

test('members that the vendor leaves out unless they are turned on are left out', () => {
  const names = (readToolset({ type: 'browser_toolset_20260801' }) ?? []).map(({ origin }) => origin?.name)
  expect(sorted(Object.keys(browser).filter((name) => !names.includes(name)))).toEqual([
    'file_upload',
    'javascript_exec',
    'read_console',
    'read_network',
  ])
})

test('the mark of a cached prefix is at the last member, and another tool is not a toolset', () => {
  const tools = readToolset({ type: 'computer_toolset_20260801', cache_control: { type: 'ephemeral' } }) ?? []
  expect(tools.flatMap(({ cache }, index) => (cache ? [index] : []))).toEqual([16])
  expect(readToolset({ type: 'computer_20251124' })).toBeUndefined()
})
