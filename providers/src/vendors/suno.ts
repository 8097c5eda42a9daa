import { isObject, type JsonObject, textOf } from '@tollgate/dialects'
import { onlyMembers, withMember } from '../shape'
import type { ActionRequest, Refused, Submission, TaskApi, TaskReply, TaskReport, TaskResult } from '../tasks'
import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { defineProvider } from '../provider'

/** The documented fields of both actions. The service reports to no address but by being asked. */
const members: ReadonlySet<string> = new Set([
  'gpt_description_prompt',
  'prompt',
  'mv',
  'title',
  'tags',
  'negative_tags',
  'continue_at',
  'continue_clip_id',
  'task_id',
  'task',
  'make_instrumental',
  'generation_type',
  'metadata',
])

const dayMs = 86_400_000

/** The task protocol of Suno-API: https://github.com/Suno-API/Suno-API */
const sunoTasks: TaskApi<ActionRequest> = {
  submit: ({ action, body, origin }, { baseUrl }) => ({
    method: 'POST',
    url: `${baseUrl}/suno/submit/${action.toLowerCase()}`,
    body: onlyMembers(origin ? withMember(body, 'task_id', origin.vendorId) : body, members),
  }),
  readSubmission,
  fetch: (ids, { baseUrl }) => ({ method: 'POST', url: `${baseUrl}/suno/fetch`, body: { ids } }),
  readReports({ body }) {
    const tasks = isObject(body) && body['code'] === 'success' ? body['data'] : undefined
    if (!Array.isArray(tasks)) throw new TypeError('The list of tasks is not a list')
    return tasks.flatMap((task: unknown) => (isObject(task) && textOf(task['task_id']) !== '' ? [reportOf(task)] : []))
  },
  batch: 100,
  pollMs: [5000, 5000, 10_000, 15_000],
  deadlineMs: dayMs,
}

function readSubmission({ status, body }: TaskReply): Submission {
  const replyBody = isObject(body) ? body : {}
  const vendorId = textOf(replyBody['data'])
  if (status < 300 && replyBody['code'] === 'success')
    return vendorId === '' ? createRefusal(502, replyBody, 'The reply names no task') : { kind: 'accepted', vendorId }
  const { error, message } = replyBody
  const reported = textOf(message) || textOf(isObject(error) ? error['message'] : error)
  return createRefusal(
    status < 300 ? statusOf(replyBody['code']) : status,
    replyBody,
    reported || 'The service gives no reason',
  )
}

/** Statuses of the service's codes where the reply has status 200. */
const statuses: Readonly<Record<string, number>> = { invalid_request: 400, quota_not_enough: 402, task_not_exist: 400 }

const statusOf = (code: unknown): number => (typeof code === 'string' ? statuses[code] : undefined) ?? 502

const createRefusal = (status: number, { code }: JsonObject, message: string): Refused => ({
  kind: 'refused',
  status,
  code: textOf(code),
  message,
})

const states: Readonly<Record<string, TaskReport['status']>> = {
  NOT_START: 'submitted',
  SUBMITTED: 'submitted',
  QUEUED: 'queued',
  IN_PROGRESS: 'in-progress',
  SUCCESS: 'success',
  FAILURE: 'failure',
}

function reportOf(task: JsonObject): TaskReport {
  const { status, data } = task
  const state =
    (typeof status === 'string' && Object.hasOwn(states, status) ? states[status] : undefined) ?? 'submitted'
  const failReason = textOf(task['fail_reason'])
  return {
    vendorId: textOf(task['task_id']),
    status: state,
    progress: percentIn(task['progress']),
    ...(failReason !== '' && { failReason }),
    results: Array.isArray(data) ? data.filter(isObject).flatMap(resultsOf) : [],
    ...(typeof data === 'object' && data !== null && { data: { songs: data } }),
  }
}

/** Songs are played while they are made: a song without its length is not complete yet, but has an address. */
function resultsOf({ audio_url: audio, video_url: video }: JsonObject): TaskResult[] {
  return [
    ...(isAddress(audio) ? [{ kind: 'audio', url: audio } as const] : []),
    ...(isAddress(video) ? [{ kind: 'video', url: video } as const] : []),
  ]
}

function percentIn(progress: unknown): number | null {
  const found = typeof progress === 'string' ? /^(\d{1,3})%?$/.exec(progress)?.[1] : undefined
  return found === undefined ? null : Math.min(Number(found), 100)
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value)

/** Services that sing for Suno's subscribers: https://github.com/Suno-API/Suno-API */
export const suno = defineProvider({
  type: 36,
  id: 'suno',
  name: { en: 'Suno API', zh: '音乐：Suno API' },
  baseUrl: null,
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: {},
  tasks: { suno: sunoTasks },
  fields: [
    baseUrlField('https://suno.example.com', {
      hint: { en: 'The address before /suno', zh: '/suno 之前的地址' },
    }),
  ],
  models: ['suno_music', 'suno_lyrics'],
})
