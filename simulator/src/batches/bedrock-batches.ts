import { objectOr } from '../json'
import { signatureFault } from '../tasks/s3-signature'
import {
  stateOf,
  type BatchBook,
  type BatchReply,
  type BatchState,
  type StandInBatch,
  type StandInResult,
} from './batch-book'
import { jsonLines, other, submission, type StoredFile } from './stored-files'

const names: Readonly<Record<BatchState, string>> = {
  accepted: 'Validating',
  running: 'InProgress',
  cancelling: 'Stopping',
  refused: 'Failed',
  done: 'Completed',
  cancelled: 'Stopped',
  expired: 'PartiallyCompleted',
}

const minRecords = 100
const account = 'arn:aws:bedrock:us-east-1:123456789012'
/** The name of its bucket, and the key that opens it. */
export const batchBucket = 'batch-bucket'
const bucketKey = { keyId: 'AKIAEXAMPLE', secret: 'secret', region: 'us-east-1' }

/** Jobs and the objects of one bucket as Amazon has them. https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference.html */
export class BedrockBatches {
  readonly files = new Map<string, StoredFile>()

  constructor(private readonly batchBook: BatchBook) {}

  async reply(request: Request, path: string): Promise<BatchReply> {
    const [bucket, ...key] = decodeURIComponent(path).slice(1).split('/')
    if (bucket === batchBucket) return this.#ofObject(request, key.join('/'))
    const [, id = '', action] = /^\/model-invocation-jobs?(?:\/([^/]+))?(?:\/(stop))?$/.exec(path) ?? []
    if (isUnsigned(request)) return refuse(403, 'The request is not signed')
    if (path === '/model-invocation-jobs')
      return other({ invocationJobSummaries: [...this.batchBook.batches.values()].map((job) => this.#show(job)) })
    if (id === '') return this.#create(objectOr(await request.json()))
    const job = this.batchBook.batches.get(id)
    if (!job) return refuse(404, 'The job is not there')
    if (action === undefined) return other(this.#show(job, await this.#query(job)))
    if (job.results !== null) return refuse(400, 'The job has ended')
    job.isCancelled = true
    return { kind: 'other', response: new Response() }
  }

  async #ofObject(request: Request, key: string): Promise<BatchReply> {
    const fault = signatureFault(request, bucketKey, Date.now())
    if (fault || !request.headers.has('x-amz-content-sha256')) return refuse(403, fault?.message ?? 'Access Denied')
    if (request.method === 'PUT') {
      this.files.set(key, { id: key, filename: key, purpose: 'batch', text: await request.text() })
      return { kind: 'submission', response: new Response() }
    }
    if (request.method === 'DELETE') {
      this.files.delete(key)
      return { kind: 'other', response: new Response(null, { status: 204 }) }
    }
    const object = this.files.get(key)
    return object ? { kind: 'other', response: new Response(object.text) } : refuse(404, 'NoSuchKey')
  }

  #create(order: Readonly<Record<string, unknown>>): BatchReply {
    const { clientRequestToken: token, modelId, modelInvocationType, roleArn, jobName } = order
    const known = [...this.batchBook.batches.values()].find((job) => job.order['clientRequestToken'] === token)
    if (known) return submission({ jobArn: arnOf(known) })
    const source = this.files.get(keyIn(objectOr(objectOr(order['inputDataConfig'])['s3InputDataConfig'])['s3Uri']))
    if (!source || typeof roleArn !== 'string' || !/^[a-zA-Z0-9][a-zA-Z0-9+.-]{0,62}$/.test(String(jobName)))
      return refuse(400, 'The request is wrong')
    const action = modelInvocationType === 'Converse' ? 'converse' : 'invoke'
    const path = `/model/${encodeURIComponent(String(modelId))}/${action}`
    const calls = jsonLines(source.text).map((line) => {
      const { recordId, modelInput } = objectOr(line)
      return { id: String(recordId), path, body: modelInput }
    })
    if (calls.length < minRecords || calls.some(({ id }) => !/^[a-zA-Z0-9]{11}$/.test(id)))
      return refuse(400, 'The records are wrong')
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
    return submission({ jobArn: arnOf(this.batchBook.submit(id, calls, order)) })
  }

  /** Writes the results when the job has ended. */
  async #query(job: StandInBatch): Promise<BatchState> {
    const isOpen = job.results === null
    const state = await this.batchBook.query(job)
    if (!isOpen || job.results === null) return state
    const lines = [...job.results].flatMap(([recordId, result]) => (result ? [lineOf(recordId, result)] : []))
    const output = keyIn(objectOr(objectOr(job.order['outputDataConfig'])['s3OutputDataConfig'])['s3Uri'])
    const input = keyIn(objectOr(objectOr(job.order['inputDataConfig'])['s3InputDataConfig'])['s3Uri'])
    const objects = {
      [`${input.slice(input.lastIndexOf('/') + 1)}.out`]: lines.map((line) => JSON.stringify(line)).join('\n'),
      'manifest.json.out': JSON.stringify({ totalRecordCount: job.calls.length, processedRecordCount: lines.length }),
    }
    for (const [name, text] of Object.entries(objects)) {
      const key = `${output}${job.id}/${name}`
      this.files.set(key, { id: key, filename: name, purpose: 'batch_output', text })
    }
    return state
  }

  #show(job: StandInBatch, state = stateOf(job)): object {
    const results = [...(job.results?.values() ?? [])].filter((result) => result !== null)
    const succeeded = results.filter(({ status }) => status === 200).length
    const { jobName, modelId, inputDataConfig, outputDataConfig } = job.order
    return {
      jobArn: arnOf(job),
      jobName,
      modelId,
      status: names[state],
      submitTime: new Date(job.createdAt).toISOString(),
      inputDataConfig,
      outputDataConfig,
      totalRecordCount: job.calls.length,
      successRecordCount: job.results ? succeeded : job.shown.succeeded,
      errorRecordCount: job.results ? results.length - succeeded : job.shown.failed,
      ...(state === 'refused' && { message: 'The line is wrong' }),
    }
  }
}

const arnOf = ({ id }: StandInBatch): string => `${account}:model-invocation-job/${id}`

const keyIn = (uri: unknown): string => String(uri).replace(`s3://${batchBucket}/`, '')

const isUnsigned = ({ headers }: Request): boolean =>
  !/^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/us-east-1\/bedrock\/aws4_request/.test(
    headers.get('authorization') ?? '',
  )

function lineOf(recordId: string, { status, body }: NonNullable<StandInResult>): object {
  if (status === 200) return { recordId, modelInput: {}, modelOutput: body }
  const { message } = objectOr(objectOr(body)['error'])
  return { recordId, modelInput: {}, error: { errorCode: status, errorMessage: message } }
}

const refuse = (status: number, message: string): BatchReply => ({
  kind: 'other',
  response: Response.json({ message }, { status }),
})
