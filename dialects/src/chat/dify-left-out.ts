import type { JsonObject } from '../core/json'
import { holdsSomething, unknownMembers } from '../core/neutral/left-out'
import { objectOf, textOf } from '../core/neutral/read'

/** Returns the names of what an event says and is not read. `text`: what the answer has said so far. */
export function unreadOf(event: JsonObject, text: string): readonly string[] {
  const name = textOf(event['event'])
  const data = objectOf(event['data'])
  if (name === '' || silentEvents.has(name)) return []
  if (name === 'workflow_finished') {
    const others = event['conversation_id'] === undefined ? unshownOutputs(objectOf(data['outputs']), text) : []
    return [...unknownMembers(data, workflowMembers, 'data'), ...others]
  }
  if (!messageEvents.has(name)) return [`the event ${name.slice(0, maxNameLength)}`]
  return [
    ...unknownMembers(event, messageMembers, 'message'),
    ...unknownMembers(objectOf(event['metadata']), metadataMembers, 'metadata'),
    ...unknownMembers(data, textMembers, 'data'),
  ]
}

const maxNameLength = 64

/** Steps of a workflow, whose outcome comes as messages or outputs, and signs of life. */
const silentEvents: ReadonlySet<string> = new Set([
  'ping',
  'workflow_started',
  'node_started',
  'node_finished',
  'node_retry',
  'iteration_started',
  'iteration_next',
  'iteration_completed',
  'loop_started',
  'loop_next',
  'loop_completed',
  'parallel_branch_started',
  'parallel_branch_finished',
  'agent_log',
  'tts_message_end',
])

const messageEvents: ReadonlySet<string> = new Set([
  'message',
  'agent_message',
  'agent_thought',
  'message_file',
  'message_replace',
  'message_end',
  'text_chunk',
  'text_replace',
  'blocking',
])

const messageMembers: ReadonlySet<string> = new Set([
  'event',
  'task_id',
  'workflow_run_id',
  'id',
  'message_id',
  'conversation_id',
  'created_at',
  'mode',
  'answer',
  'reason',
  'from_variable_selector',
  'metadata',
  'data',
  'files',
  // Of a file.
  'type',
  'belongs_to',
  'url',
  // Of a step of an agent; what it thinks comes as messages.
  'position',
  'thought',
  'observation',
  'tool',
  'tool_labels',
  'tool_input',
  'message_files',
])
const metadataMembers: ReadonlySet<string> = new Set(['usage', 'annotation_reply'])
const textMembers: ReadonlySet<string> = new Set(['text', 'from_variable_selector'])
const workflowMembers: ReadonlySet<string> = new Set([
  'id',
  'workflow_id',
  'workflow_run_id',
  'sequence_number',
  'status',
  'outputs',
  'error',
  'elapsed_time',
  'total_tokens',
  'total_steps',
  'exceptions_count',
  'created_by',
  'created_at',
  'finished_at',
  'files',
])

/** More outputs are not looked at: each is looked for in the text. */
const maxOutputs = 32

/** Shorter words may stand in the text by chance. */
const minPartLength = 16

/** Returns the names of outputs that neither the text nor what stands for it says. */
function unshownOutputs(outputs: JsonObject, text: string): readonly string[] {
  const shown = text || outputText(outputs)
  if (shown === JSON.stringify(outputs)) return []
  const isShown = (value: unknown) =>
    value === shown || (typeof value === 'string' && value.length >= minPartLength && shown.includes(value))
  return Object.entries(outputs)
    .slice(0, maxOutputs)
    .flatMap(([name, value]) =>
      !holdsSomething(value) || isShown(value) ? [] : [`outputs.${name.slice(0, maxNameLength)}`],
    )
}

const usualOutputs = ['text', 'answer', 'output', 'result']

/** The text among the outputs: by a usual name, or the only one; else all of them as JSON. */
export function outputText(outputs: JsonObject): string {
  const usual = usualOutputs.map((name) => outputs[name]).find((value) => typeof value === 'string')
  if (typeof usual === 'string') return usual
  const [only, ...more] = Object.values(outputs)
  if (only === undefined) return ''
  return typeof only === 'string' && more.length === 0 ? only : JSON.stringify(outputs)
}
