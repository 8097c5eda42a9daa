import { isObject, type JsonObject, textOf } from '@tollgate/dialects'

import { withMember, withoutMembers } from '../shape'
import type {
  ActionRequest,
  Refused,
  Submission,
  TaskApi,
  TaskReply,
  TaskReport,
  TaskResult,
  TaskTarget,
} from '../tasks'

/** What follows `/mj/` for actions that begin something; the others go on from a task. */
const paths: Readonly<Record<string, string>> = {
  IMAGINE: 'submit/imagine',
  DESCRIBE: 'submit/describe',
  BLEND: 'submit/blend',
  SHORTEN: 'submit/shorten',
  UPLOAD: 'submit/upload-discord-images',
  MODAL: 'submit/modal',
  EDITS: 'submit/edits',
  VIDEO: 'submit/video',
  SWAP_FACE: 'insight-face/swap',
}

/** The task protocol of midjourney-proxy, which its successors and resellers kept. */
export const midjourneyTasks: TaskApi<ActionRequest> = {
  submit: (request, target) => ({
    method: 'POST',
    url: `${target.baseUrl}/mj/${pathOf(request)}`,
    body: bodyOf(request, target),
  }),
  readSubmission,
  fetch: (ids, { baseUrl }) => ({
    method: 'POST',
    url: `${baseUrl}/mj/task/list-by-condition`,
    body: { ids },
  }),
  readReports({ body }) {
    if (!Array.isArray(body)) throw new TypeError('The list of tasks is not a list')
    return body.flatMap((task: unknown) => (isObject(task) && idIn(task['id']) !== '' ? [reportOf(task)] : []))
  },
  seed: (vendorId, { baseUrl }) => ({
    method: 'GET',
    url: `${baseUrl}/mj/task/${encodeURIComponent(vendorId)}/image-seed`,
  }),
  batch: 100,
  pollMs: [5000, 5000, 10_000, 15_000],
  deadlineMs: 3_600_000,
}

/** A button names what it does itself, whichever action that is. */
const pathOf = ({ action, body }: ActionRequest): string =>
  'customId' in body ? 'submit/action' : (paths[action] ?? 'submit/change')

/** The proxy reports to our address, and names tasks by its own ids. */
function bodyOf({ body, origin }: ActionRequest, { callbackUrl }: TaskTarget): JsonObject {
  const named = origin ? withMember(body, 'taskId', origin.vendorId) : body
  return callbackUrl === null ? withoutMembers(named, 'notifyHook') : withMember(named, 'notifyHook', callbackUrl)
}

/** Statuses of refusals by the proxy's code. Those of the request are not tried elsewhere. */
const statuses: Readonly<Record<number, number>> = { 3: 400, 4: 400, 5: 502, 9: 502, 23: 429, 24: 400, 30: 429 }

const accepting: ReadonlySet<number> = new Set([1, 21, 22])

/** `1`: submitted; `22`: submitted and queued; `21`: done before, or waiting for what a dialog asks. */
function readSubmission({ status, body }: TaskReply): Submission {
  const replyBody = isObject(body) ? body : {}
  const { code, result } = replyBody
  if (status >= 300 || typeof code !== 'number' || !accepting.has(code)) return refusal(status, replyBody)
  const answer = { code, description: textOf(replyBody['description']), properties: shownIn(replyBody['properties']) }
  if (Array.isArray(result)) return acceptUpload(result, answer)
  const vendorId = idIn(result)
  if (vendorId === '') return createRefusal(502, code, 'The reply names no task')
  const data = { submission: answer }
  return code === 21
    ? { kind: 'accepted', vendorId, report: existing(replyBody['properties']), data }
    : { kind: 'accepted', vendorId, data }
}

/** Uploads are done at once: their result is the addresses. */
function acceptUpload(urls: readonly unknown[], submission: JsonObject): Submission {
  const results = urls.flatMap((url): TaskResult[] => (isAddress(url) ? [{ kind: 'image', url }] : []))
  const first = results[0]?.url
  if (first === undefined) return createRefusal(502, submission['code'], 'The reply names no upload')
  return {
    kind: 'accepted',
    vendorId: first,
    report: { status: 'success', progress: 100, results },
    data: { submission: { ...submission, result: results.map(({ url }) => url) } },
  }
}

/** A task that the proxy has already: its image, or a dialog that waits. */
function existing(properties: unknown): Omit<TaskReport, 'vendorId'> {
  const { status, imageUrl } = isObject(properties) ? properties : {}
  const state = stateOf(status) ?? 'modal'
  const progress = state === 'success' ? 100 : null
  return isAddress(imageUrl)
    ? { status: state, progress, results: [{ kind: 'image', url: imageUrl }] }
    : { status: state, progress }
}

/** The proxy says `3` both for a task that it has lost and when none of its accounts works. */
const missesAccount = /账号|帐号|account/i
const missesQuota = /quota_not_enough|额度不足/i

function refusal(status: number, replyBody: JsonObject): Refused {
  const { code, description, error } = replyBody
  const message =
    textOf(description) || textOf(isObject(error) ? error['message'] : error) || 'The proxy gives no reason'
  if (missesQuota.test(message)) return createRefusal(402, code, message)
  if (code === 3 && missesAccount.test(message)) return createRefusal(401, code, message)
  if (status >= 300) return createRefusal(code === 30 ? 429 : status, code, message)
  return createRefusal((typeof code === 'number' ? statuses[code] : undefined) ?? 502, code, message)
}

const createRefusal = (status: number, code: unknown, message: string): Refused => ({
  kind: 'refused',
  status,
  code: typeof code === 'number' || typeof code === 'string' ? String(code) : '',
  message,
})

const states: Readonly<Record<string, TaskReport['status']>> = {
  NOT_START: 'submitted',
  SUBMITTED: 'submitted',
  IN_PROGRESS: 'in-progress',
  MODAL: 'modal',
  SUCCESS: 'success',
  FAILURE: 'failure',
  CANCEL: 'cancelled',
}

const stateOf = (text: unknown): TaskReport['status'] | undefined =>
  typeof text === 'string' && Object.hasOwn(states, text) ? states[text] : undefined

function reportOf(task: JsonObject): TaskReport {
  const failReason = textOf(task['failReason'])
  return {
    vendorId: idIn(task['id']),
    status: stateOf(task['status']) ?? 'submitted',
    progress: percentIn(task['progress']),
    ...(failReason !== '' && { failReason }),
    results: resultsOf(task),
    data: dataOf(task),
  }
}

function resultsOf({ imageUrl, videoUrl, videoUrls }: JsonObject): TaskResult[] {
  const videos = [videoUrl, ...addressesIn(videoUrls)].filter(isAddress)
  return [
    ...(isAddress(imageUrl) ? [{ kind: 'image', url: imageUrl } as const] : []),
    ...[...new Set(videos)].map((url) => ({ kind: 'video', url }) as const),
  ]
}

const addressesIn = (list: unknown): unknown[] =>
  Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? item['url'] : item)) : []

/** What the task's shape shows besides its state. */
function dataOf(task: JsonObject): JsonObject {
  const texts = { promptEn: textOf(task['promptEn']), description: textOf(task['description']) }
  const reported = Object.entries(texts).filter(([, text]) => text !== '')
  const { buttons, properties } = task
  return {
    ...Object.fromEntries(reported),
    ...(Array.isArray(buttons) && { buttons: buttons.filter(isObject).map(buttonOf) }),
    ...(isObject(properties) && { properties: shownIn(properties) }),
  }
}

const buttonOf = ({ customId, emoji, label, type, style }: JsonObject): JsonObject => ({
  customId: textOf(customId),
  emoji: textOf(emoji),
  label: textOf(label),
  type: typeof type === 'number' ? type : 0,
  style: typeof style === 'number' ? style : 0,
})

/** The properties that clients read. Others tell of the proxy's accounts, and where it reports to. */
const shownProperties: ReadonlySet<string> = new Set([
  'bannedWord',
  'finalPrompt',
  'finalZhPrompt',
  'numberOfQueues',
  'promptEn',
  'remix',
])

const shownIn = (properties: unknown): JsonObject =>
  isObject(properties)
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => shownProperties.has(name)))
    : {}

const percent = /^(\d{1,3})(?:\.\d+)?\s*%?$/

function percentIn(progress: unknown): number | null {
  const found = typeof progress === 'string' ? percent.exec(progress.trim())?.[1] : undefined
  return found === undefined ? null : Math.min(Number(found), 100)
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value)

/** Some proxies write ids as numbers. */
const idIn = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value))
