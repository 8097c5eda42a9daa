import type { JsonObject } from '../../core/json'
import { isObject } from '../../core/json'
import { objectOf, textOf, textsOf, omitUndefined } from '../../core/neutral/read'

/**
 * A kind of tool that the client runs and whose calls have a form of their own. Other dialects know it as a function.
 * https://platform.openai.com/docs/guides/tools-shell, …/tools-local-shell, …/tools-apply-patch, …/tools-tool-search
 */
export interface ClientTool {
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject
  /** The items of a call and of its output. */
  readonly call: string
  readonly output: string
  /** The arguments, from the item of a call. */
  readonly argumentsOf: (item: JsonObject) => JsonObject
  /** The members of a call's item, from the arguments. */
  readonly membersOf: (args: JsonObject) => JsonObject
}

const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({ type: 'object', properties, required })
const milliseconds = { type: 'integer', description: 'After how many milliseconds it is stopped.' }

const omitNulls = (members: JsonObject, ...unsaid: string[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => value !== null && !unsaid.includes(name)))

const clientTools = {
  shell: {
    description: "Runs commands in a shell on the user's machine and returns what each wrote and how it ended.",
    schema: object(
      {
        commands: texts('The commands, each as it is typed into a shell.'),
        timeout_ms: milliseconds,
        max_output_length: { type: 'integer', description: 'How many characters of the output are returned.' },
      },
      'commands',
    ),
    call: 'shell_call',
    output: 'shell_call_output',
    argumentsOf: ({ action }) => omitNulls(objectOf(action)),
    membersOf: (args) => ({
      action: { timeout_ms: null, max_output_length: null, ...args, commands: textsOf(args['commands']) },
      environment: { type: 'local' },
    }),
  },
  local_shell: {
    description: "Runs one program on the user's machine and returns what it wrote.",
    schema: object(
      {
        command: texts('The program and its arguments.'),
        working_directory: text('Where it runs.'),
        timeout_ms: milliseconds,
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables.' },
      },
      'command',
    ),
    call: 'local_shell_call',
    output: 'local_shell_call_output',
    argumentsOf: ({ action }) => omitNulls(objectOf(action), 'type'),
    membersOf: (args) => ({ action: { env: {}, ...args, type: 'exec', command: textsOf(args['command']) } }),
  },
  apply_patch: {
    description: 'Creates, changes or deletes one file. Changes are given as a diff in the V4A format.',
    schema: object(
      {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('The file.'),
        diff: text(
          'The content of a new file or the changes to one, each line behind "+", "-" or a blank. None to delete it.',
        ),
      },
      'type',
      'path',
    ),
    call: 'apply_patch_call',
    output: 'apply_patch_call_output',
    argumentsOf: ({ operation }) => omitNulls(objectOf(operation)),
    membersOf: (args) => ({ operation: args }),
  },
  tool_search: {
    description: 'Searches for tools that are not among those at hand.',
    schema: object({ query: text('What the tool should do.') }),
    call: 'tool_search_call',
    output: 'tool_search_output',
    argumentsOf: (item) => objectOf(item['arguments']),
    membersOf: (args) => ({ arguments: args, execution: 'client' }),
  },
} as const satisfies Readonly<Record<string, ClientTool>>

const known: Readonly<Record<string, ClientTool>> = clientTools

/** The kind of a declared tool that the client runs; null for all others. */
export function clientTool({ type, environment, execution }: JsonObject): ClientTool | null {
  const isHosted = textOf(objectOf(environment)['type']).startsWith('container')
  if (isHosted || (type === 'tool_search' && execution !== 'client')) return null
  return known[textOf(type)] ?? null
}

/** The kind that tools of this type are. */
export const clientToolOfType = (type: string): ClientTool | undefined => known[type]

const byCall = new Map(Object.entries(known).map(([type, tool]) => [tool.call, { type, tool }]))
const outputs = new Set(Object.values(known).map(({ output }) => output))

/** The type and kind of the tool whose call an item is. */
export const calledTool = (itemType: string) => byCall.get(itemType)

export const isToolOutput = (itemType: string): boolean => outputs.has(itemType)

/** What a tool answered, as text. */
export function outputText(item: JsonObject): string {
  const output = item['output'] ?? item['tools']
  if (typeof output === 'string') return output
  return output === undefined || output === null ? '' : JSON.stringify(output)
}

/** The arguments as the call's item has them; null when they are not what the tool takes. */
export function calledMembers(tool: ClientTool, args: JsonObject | null): JsonObject | null {
  const required = tool.schema['required']
  const isFit = isObject(args) && Array.isArray(required) && required.every((name) => String(name) in args)
  return isFit ? omitUndefined(tool.membersOf(args)) : null
}
