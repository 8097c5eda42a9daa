import type { JsonObject } from '../../core/json'
import type { FunctionTool, Tool } from '../../core/neutral/call'
import { flagOrNull, objectOf, textOf } from '../../core/neutral/read'
import { readCache } from './cache'
import { dialectId } from './name'

const text = (description: string): JsonObject => ({ type: 'string', description })
const number = (description: string): JsonObject => ({ type: 'number', description })
const whole = (description: string): JsonObject => ({ type: 'integer', description })
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description })
const oneOf = (...values: string[]): JsonObject => ({ type: 'string', enum: values })
const pixels = (description: string): JsonObject => ({ type: 'array', items: { type: 'number' }, description })

interface Member {
  readonly description: string
  readonly properties: JsonObject
  readonly required: readonly string[]
  /** Only offered where the client turns it on. */
  readonly isOptional?: boolean
}

const member = (description: string, properties: JsonObject = {}, ...required: string[]): Member => ({
  description,
  properties,
  required,
})
const optional = (of: Member): Member => ({ ...of, isOptional: true })

const directions = oneOf('up', 'down', 'left', 'right')
const region = pixels('The corners [x0, y0, x1, y1].')
const seconds = number('Seconds.')
const chord = text('Keys joined by "+", as ctrl+s; named keys as Return, Tab, Escape, Page_Down.')
const repeat = whole('How many times. Default: 1.')

const point = pixels('[x, y]: pixels from the left and from the top.')
const held = text('Keys to hold meanwhile, as ctrl+shift.')
const click = (description: string): Member =>
  member(`${description} Without a coordinate where the cursor is.`, { coordinate: point, text: held })

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool */
const computer: Readonly<Record<string, Member>> = {
  screenshot: member('Takes a picture of the screen.'),
  zoom: member('Takes an enlarged picture of a part of the screen.', { region }, 'region'),
  cursor_position: member('Returns where the cursor is.'),
  mouse_move: member('Moves the cursor without a click.', { coordinate: point }, 'coordinate'),
  left_click: click('Clicks.'),
  right_click: click('Clicks with the right button.'),
  middle_click: click('Clicks with the middle button.'),
  double_click: click('Clicks twice.'),
  triple_click: click('Clicks three times.'),
  left_click_drag: member(
    'Drags from one point to another.',
    { start_coordinate: point, coordinate: point, text: held },
    'start_coordinate',
    'coordinate',
  ),
  left_mouse_down: member('Presses the left button where the cursor is and holds it.'),
  left_mouse_up: member('Lets the left button go.'),
  scroll: member(
    'Turns the wheel. Without a coordinate where the cursor is.',
    {
      scroll_direction: directions,
      scroll_amount: whole('Steps of the wheel.'),
      coordinate: point,
      text: held,
    },
    'scroll_direction',
    'scroll_amount',
  ),
  type: member('Types a text.', { text: text('The text.') }, 'text'),
  key: member('Presses keys together.', { text: chord, repeat }, 'text'),
  hold_key: member('Holds keys for a while.', { text: chord, duration: seconds }, 'text', 'duration'),
  wait: member('Waits.', { duration: seconds }, 'duration'),
}

const tab_id = text('The tab. Default: the active one.')
const atPoint: JsonObject = {
  type: 'object',
  properties: {
    type: oneOf('coordinate'),
    x: number('Pixels from the left of the viewport.'),
    y: number('Pixels from the top of the viewport.'),
  },
  required: ['type', 'x', 'y'],
}
const atElement: JsonObject = {
  type: 'object',
  properties: { type: oneOf('ref'), ref: text('An element as read_page or find named it, such as ref_7.') },
  required: ['type', 'ref'],
}
/** One object for both, as not every vendor takes alternatives. */
const anywhere: JsonObject = {
  type: 'object',
  description: 'A point ({type: "coordinate", x, y}) or an element ({type: "ref", ref}).',
  properties: {
    type: oneOf('coordinate', 'ref'),
    x: number('Pixels from the left of the viewport.'),
    y: number('Pixels from the top of the viewport.'),
    ref: text('An element as read_page or find named it, such as ref_7.'),
  },
  required: ['type'],
}
const modifiers = text('Keys to hold meanwhile, as ctrl+shift.')
const inTab = (description: string, properties: JsonObject = {}, ...required: string[]): Member =>
  member(description, { ...properties, tab_id }, ...required)
const clickAt = (description: string): Member => inTab(description, { target: anywhere, modifiers }, 'target')

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/browser-use-tool */
const browser: Readonly<Record<string, Member>> = {
  navigate: inTab('Opens an address.', { url: text('The address, or back, forward or reload.') }, 'url'),
  list_tabs: member('Lists the open tabs.'),
  new_tab: member('Opens an empty tab.'),
  switch_tab: member('Makes a tab the active one.', { tab_id: text('The tab.') }, 'tab_id'),
  close_tab: member('Closes a tab.', { tab_id: text('The tab.') }, 'tab_id'),
  read_page: inTab('Returns the elements of the page as a tree, each with a name for later calls.', {
    depth: whole('How deep. Default: 15.'),
    filter: oneOf('all', 'interactive'),
    ref: text('Only what is inside this element.'),
  }),
  get_page_text: inTab('Returns the text of the page.'),
  find: inTab('Finds elements by a description of them.', { query: text('The description.') }, 'query'),
  form_input: inTab(
    'Sets a field of a form.',
    {
      target: atElement,
      value: {
        type: ['string', 'number', 'boolean'],
        description: 'The value; true or false for a checkbox.',
      },
    },
    'target',
    'value',
  ),
  scroll_to: inTab('Scrolls an element into view.', { target: atElement }, 'target'),
  screenshot: inTab('Takes a picture of the viewport.'),
  zoom: inTab('Takes an enlarged picture of a part of the viewport.', { region }, 'region'),
  left_click: clickAt('Clicks.'),
  right_click: clickAt('Clicks with the right button.'),
  middle_click: clickAt('Clicks with the middle button.'),
  double_click: clickAt('Clicks twice.'),
  triple_click: clickAt('Clicks three times.'),
  hover: inTab('Moves the cursor there without a click.', { target: anywhere }, 'target'),
  left_click_drag: inTab('Drags from one point to another.', { from: atPoint, target: atPoint }, 'from', 'target'),
  left_mouse_down: inTab('Presses the left button and holds it.', { target: atPoint }, 'target'),
  left_mouse_up: inTab('Lets the left button go.', { target: atPoint }, 'target'),
  mouse_move: inTab('Moves the pointer without a click.', { target: atPoint }, 'target'),
  scroll: inTab(
    'Turns the wheel.',
    { target: atPoint, scroll_direction: directions, scroll_amount: whole('Steps of the wheel, 1 to 10. Default: 3.') },
    'target',
    'scroll_direction',
  ),
  type: inTab('Types a text where the focus is.', { text: text('The text.') }, 'text'),
  key: inTab('Presses keys together; a blank between several in turn.', { text: chord, repeat }, 'text'),
  hold_key: inTab('Holds keys for a while.', { text: chord, duration: seconds }, 'text', 'duration'),
  wait: inTab('Waits.', { duration: seconds }, 'duration'),
  file_upload: optional(
    inTab(
      'Chooses files for a field of a form.',
      {
        target: atElement,
        paths: texts('Where the browser has them.'),
        document_ids: texts('Files put there before.'),
      },
      'target',
    ),
  ),
  read_console: optional(inTab('Returns what the page has written to its console since the last call.')),
  read_network: optional(inTab('Returns the requests of the page since the last call.')),
  javascript_exec: optional(
    inTab('Runs JavaScript in the page and returns its last value.', { text: text('The code.') }, 'text'),
  ),
}

/** By type: one entry declares a family of tools, which the client runs. Their calls name the family beside the member. */
const toolsets: Readonly<Record<string, { readonly family: string; readonly members: typeof computer }>> = {
  computer_toolset_20260801: { family: 'computer', members: computer },
  browser_toolset_20260801: { family: 'browser', members: browser },
}

/** The name of a member as a function: two families have members of the same name, and the client may have functions of it. */
export const memberName = (family: string, name: string): string => `${family}__${name}`

/** Returns the functions that a toolset stands for, without those that it turns off; undefined for any other tool. */
export function readToolset(declared: JsonObject): FunctionTool[] | undefined {
  const type = textOf(declared['type'])
  const toolset = toolsets[type]
  if (!toolset) return undefined
  const { family, members } = toolset
  const configs = objectOf(declared['configs'])
  const offered = Object.entries(members).filter(
    ([name, { isOptional }]) => flagOrNull(objectOf(configs[name])['enabled']) ?? !isOptional,
  )
  return offered.map(([name, { description, properties, required }], index) => ({
    kind: 'function',
    name: memberName(family, name),
    description,
    schema: { type: 'object', properties, required },
    isStrict: null,
    origin: { dialect: dialectId, type, name, namespace: family, declared },
    ...(index === offered.length - 1 && readCache(declared)),
  }))
}

/** How the client knows what was called. */
export interface CalledName {
  readonly name: string
  readonly toolset_name?: string
}

/** Returns what finds the client's names of a call by the name of its function. */
export function calledNames(tools: readonly Tool[]): (called: string) => CalledName {
  const members = new Map<string, CalledName>()
  for (const tool of tools) {
    if (tool.kind !== 'function' || tool.origin?.dialect !== dialectId) continue
    const { name, namespace } = tool.origin
    if (namespace !== undefined) members.set(tool.name, { name, toolset_name: namespace })
  }
  return (called) => members.get(called) ?? { name: called }
}
