import type { JsonObject } from '../../core/json'

const text = (description: string) => ({ type: 'string', description })
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({ type: 'object', properties, required })

const commands = (...names: string[]) => ({ type: 'string', enum: names })
const path = text('An absolute path.')
const place = { type: 'array', items: { type: 'integer' }, description: 'Pixels from the left and from the top.' }

interface ClientTool {
  readonly prefix: string
  readonly description: string
  readonly schema: JsonObject
}

/**
 * Tools whose form the vendor knows and which the client runs, by the beginnings of their dated types. Other dialects know them as
 * functions. https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
 */
export const clientTools: readonly ClientTool[] = [
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
    prefix: 'computer_',
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
