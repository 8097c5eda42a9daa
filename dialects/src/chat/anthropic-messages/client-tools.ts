import type { JsonObject } from '../../core/json'
import { numberOrNull, textOf } from '../../core/neutral/read'

const text = (description: string) => ({ type: 'string', description })
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({ type: 'object', properties, required })

const commands = (...names: string[]) => ({ type: 'string', enum: names })
const path = text('An absolute path.')
const place = { type: 'array', items: { type: 'integer' }, description: 'Pixels from the left and from the top.' }

interface ToolForm {
  readonly description: string
  readonly schema: JsonObject
}

/** By the beginnings of their dated types. https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview */
const clientTools: readonly (ToolForm & { readonly prefix: string })[] = [
  {
    prefix: 'bash_',
    description: "Runs a command in a bash session on the user's machine that stays open.",
    schema: object({
      command: text('The command.'),
      restart: { type: 'boolean', description: 'Begin a new session.' },
    }),
  },
  {
    prefix: 'text_editor_',
    description: 'Shows, creates and changes files.',
    schema: object(
      {
        command: commands('view', 'create', 'str_replace', 'insert', 'undo_edit'),
        path,
        view_range: { type: 'array', items: { type: 'integer' }, description: 'The first and the last line to view.' },
        file_text: text('The content of a file to create.'),
        old_str: text('What is replaced; it must stand there once.'),
        new_str: text('What takes its place.'),
        insert_line: { type: 'integer', description: 'The line behind which to insert.' },
        insert_text: text('What is inserted.'),
      },
      'command',
      'path',
    ),
  },
  {
    prefix: 'memory_',
    description: 'Keeps notes as files below /memories between conversations.',
    schema: object(
      {
        command: commands('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
        path,
        old_path: path,
        new_path: path,
        view_range: { type: 'array', items: { type: 'integer' } },
        file_text: text('The content of a file to create.'),
        old_str: text('What is replaced.'),
        new_str: text('What takes its place.'),
        insert_line: { type: 'integer' },
        insert_text: text('What is inserted.'),
      },
      'command',
    ),
  },
  {
    prefix: 'computer_2',
    description: 'Looks at the screen and uses mouse and keyboard.',
    schema: object(
      {
        action: text(
          'As screenshot, left_click, right_click, double_click, mouse_move, left_click_drag, type, key, scroll or wait.',
        ),
        coordinate: place,
        start_coordinate: place,
        text: text('What is typed, or the keys that are pressed.'),
        scroll_direction: commands('up', 'down', 'left', 'right'),
        scroll_amount: { type: 'integer' },
        duration: { type: 'number', description: 'Seconds.' },
        region: { type: 'array', items: { type: 'integer' } },
      },
      'action',
    ),
  },
]

/**
 * Returns what a tool does whose form the vendor knows and which the client runs; undefined for all others. Other dialects, and models
 * that do not know its version, know it as a function.
 */
export function clientToolForm(tool: JsonObject): ToolForm | undefined {
  const type = textOf(tool['type'])
  const known = clientTools.find(({ prefix }) => type.startsWith(prefix))
  return known && { description: known.description + screenOf(tool), schema: known.schema }
}

/** Coordinates mean nothing without it. */
function screenOf({ display_width_px, display_height_px }: JsonObject): string {
  const width = numberOrNull(display_width_px)
  const height = numberOrNull(display_height_px)
  return width === null || height === null ? '' : ` It has ${width} x ${height} pixels.`
}

/** Members that say how a tool of a known form is run. */
const formMembers: ReadonlySet<string> = new Set([
  'type',
  'display_width_px',
  'display_height_px',
  'display_number',
  'enable_zoom',
  'max_characters',
])

/** Returns a tool whose form the vendor knows as a function of the client's own; the same object for all others. */
export function asOwnFunction(tool: JsonObject): JsonObject {
  const form = clientToolForm(tool)
  if (!form) return tool
  const others = Object.entries(tool).filter(([name]) => !formMembers.has(name))
  return { ...Object.fromEntries(others), description: form.description, input_schema: form.schema }
}
