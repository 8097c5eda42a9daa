import { isObject } from '@tollgate/dialects'

import type { EditorField } from '../provider'
import { isSigningKey, ofBucket, regionOf } from '../vendors/bedrock-auth'
import type { BatchApi, BatchLineReport, BatchTarget, VendorBatch } from './batch-api'
import { countOr0, idIn, listIn, objectIn, textOr } from './read-reply'

/** The bucket that calls and results pass through, and the role with which Bedrock reads and writes it. Batches run there where both are set. */
export const bedrockBatchFields: readonly EditorField[] = [
  {
    name: 'setting.batch_bucket',
    kind: 'text',
    label: { en: 'Bucket for batches', zh: '批处理存储桶' },
    hint: {
      en: "An S3 bucket in the key's region, and a folder in it. Batches of users run at Bedrock where a bucket and a role are set and the key is an access key",
      zh: '与密钥同区域的 S3 存储桶及其文件夹。填写存储桶与角色且密钥为访问密钥时，用户的批处理交由 Bedrock 执行',
    },
    placeholder: 's3://my-bucket/batches',
  },
  {
    name: 'setting.batch_role',
    kind: 'text',
    label: { en: 'Role for batches', zh: '批处理角色' },
    hint: {
      en: 'The ARN of the service role with which Bedrock reads from and writes to the bucket',
      zh: 'Bedrock 读写该存储桶所用服务角色的 ARN',
    },
    placeholder: 'arn:aws:iam::123456789012:role/batches',
  },
]

const listed = 100
/** The quotas of most models. https://docs.aws.amazon.com/general/latest/gr/bedrock.html */
const lines = { min: 100, max: 50_000 }
const maxBytes = 1_000_000_000
const contentType = 'application/jsonl'

const scheme = 's3://'

interface Place {
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly folder: string
  readonly role: string
}

function placeIn({ setting }: Pick<BatchTarget, 'setting'>): Place | null {
  const address = textOr(setting?.['batch_bucket']).trim()
  const role = textOr(setting?.['batch_role']).trim()
  if (!address.startsWith(scheme) || role === '') return null
  const [bucket = '', ...folders] = address.slice(scheme.length).split('/')
  const folder = folders.filter((name) => name !== '').map((name) => `${name}/`)
  return /^[a-z0-9.-]+$/.test(bucket) ? { bucket, folder: folder.join(''), role } : null
}

/** @throws TypeError where the channel no longer names a bucket. */
function requirePlace(target: BatchTarget): Place {
  const place = placeIn(target)
  if (!place) throw new TypeError('The channel names no bucket for batches')
  return place
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html. At another address than Amazon's, jobs and buckets are there too. */
const jobsAt = ({ baseUrl, key }: BatchTarget): string =>
  baseUrl.replaceAll('{region}', regionOf({ key })).replace(/^https:\/\/bedrock-runtime\./, 'https://bedrock.')

function objectAt(target: BatchTarget, name: string): string {
  const { bucket, folder } = requirePlace(target)
  const host = jobsAt(target).replace(/^https:\/\/bedrock\./, 'https://s3.')
  const path = `${folder}${name}`.split('/').map((part) => encodeURIComponent(part))
  return [host, bucket, ...path].join('/')
}

const addressOf = (target: BatchTarget, name: string): string => {
  const { bucket, folder } = requirePlace(target)
  return `${scheme}${bucket}/${folder}${name}`
}

/** Names of jobs have no underscores. */
const jobName = (name: string): string => name.replaceAll('_', '-')
const inputName = (name: string): string => `${jobName(name)}.jsonl`

/** Eleven letters and digits. */
const recordId = (id: string): string => `L${id.slice(id.lastIndexOf('-') + 1).padStart(10, '0')}`

/**
 * Returns the batches of Bedrock, which are jobs over objects in a bucket of the operator's; undefined where the channel names none. `modelOf`: the
 * model's id there. https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference.html
 */
export function bedrockBatches(
  target: Pick<BatchTarget, 'setting'>,
  modelOf: (model: string, region: string) => string,
): BatchApi | undefined {
  if (!placeIn(target)) return undefined
  const jobAt = (id: string, at: BatchTarget) => `${jobsAt(at)}/model-invocation-job/${encodeURIComponent(id)}`
  return {
    minLines: lines.min,
    maxLines: lines.max,
    maxBytes,
    takesKey: isSigningKey,
    paths: { 'anthropic-messages': 'InvokeModel', 'bedrock-converse': 'Converse' },
    // https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-data.html
    writeLine: ({ id, body }) => `{"recordId":"${recordId(id)}","modelInput":${body}}`,
    frame: () => ({
      method: 'PUT',
      contentType,
      headers: { ...ofBucket, 'content-type': contentType },
      head: '',
      between: '\n',
      tail: '\n',
    }),
    sendTo: (at, name) => objectAt(at, inputName(name)),
    files: {
      readId: (_, name) => inputName(name),
      // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_CreateModelInvocationJob.html
      create: ({ id, path, name, model }, at) => ({
        method: 'POST',
        url: `${jobsAt(at)}/model-invocation-job`,
        body: {
          jobName: jobName(name),
          clientRequestToken: jobName(name),
          roleArn: requirePlace(at).role,
          modelId: modelOf(model, regionOf(at)),
          modelInvocationType: path,
          inputDataConfig: { s3InputDataConfig: { s3InputFormat: 'JSONL', s3Uri: addressOf(at, id) } },
          outputDataConfig: { s3OutputDataConfig: { s3Uri: addressOf(at, '') } },
          timeoutDurationInHours: 24,
        },
      }),
    },
    list: (at) => ({
      method: 'GET',
      url: `${jobsAt(at)}/model-invocation-jobs?maxResults=${listed}&sortBy=CreationTime&sortOrder=Descending`,
    }),
    readList: (body) => listIn(body, 'invocationJobSummaries').map(readJob),
    retrieve: (id, at) => ({ method: 'GET', url: jobAt(id, at) }),
    read: readJob,
    cancel: (id, at) => ({ method: 'POST', url: `${jobAt(id, at)}/stop` }),
    results: ({ resultIds }, at) =>
      resultIds.map((name) => ({ method: 'GET', url: objectAt(at, name), headers: ofBucket })),
    readLine,
    remove: ({ id, inputId, resultIds }, at) =>
      [inputId, ...resultIds, ...(id === '' ? [] : [`${id}/manifest.json.out`])]
        .filter((name) => name !== '')
        .map((name) => ({ method: 'DELETE', url: objectAt(at, name), headers: ofBucket })),
  }
}

const states: Readonly<Record<string, VendorBatch['state']>> = {
  Submitted: 'running',
  Validating: 'running',
  Scheduled: 'running',
  InProgress: 'running',
  Stopping: 'running',
  Completed: 'ended',
  PartiallyCompleted: 'ended',
  Stopped: 'ended',
  Expired: 'ended',
  Failed: 'refused',
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetModelInvocationJob.html. The reply to a submission has the job's name alone. */
function readJob(body: unknown): VendorBatch {
  const job = objectIn(body)
  const { status = 'Submitted', inputDataConfig: place, submitTime } = job
  const state = states[textOr(status)]
  if (state === undefined) throw new TypeError(`Unknown state of a batch: ${String(status)}`)
  const id = lastPart(idIn(job, 'jobArn'))
  if (!/^[a-z0-9]+$/.test(id)) throw new TypeError('The reply has no name of a job')
  const source = isObject(place) && isObject(place['s3InputDataConfig']) ? place['s3InputDataConfig'] : {}
  const input = lastPart(textOr(source['s3Uri']))
  const inputId = /^[\w-]+\.jsonl$/.test(input) ? input : ''
  return {
    id,
    name: '',
    state,
    succeeded: countOr0(job['successRecordCount']),
    failed: countOr0(job['errorRecordCount']),
    total: countOr0(job['totalRecordCount']),
    createdAt: Date.parse(textOr(submitTime)) || 0,
    inputId,
    resultIds: state === 'ended' && inputId !== '' ? [`${id}/${inputId}.out`] : [],
    reason: textOr(job['message']),
    isCutShort: state === 'ended' && status !== 'Completed',
  }
}

const lastPart = (address: string): string => address.slice(address.lastIndexOf('/') + 1)

/** https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html */
function readLine(value: unknown, name: string): BatchLineReport {
  const line = objectIn(value)
  const [, number = '0'] = /^L(\d+)$/.exec(idIn(line, 'recordId')) ?? []
  const id = `${name}-${Number(number)}`
  const { modelOutput, error } = line
  if (isObject(modelOutput)) return { id, kind: 'served', body: modelOutput }
  const { errorCode, errorMessage } = objectIn(error)
  const status = Number(errorCode)
  return {
    id,
    kind: 'failed',
    status: status >= 400 && status < 600 ? status : 500,
    body: { message: textOr(errorMessage) },
  }
}
