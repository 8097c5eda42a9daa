import type { OptionValues } from '@tollgate/contract'

/** A bucket of an S3-compatible storage, as the options name it. */
export interface Bucket {
  readonly endpoint: string
  readonly region: string
  readonly name: string
  /** The bucket is part of the host; otherwise of the path. */
  readonly isInHost: boolean
  /** Empty: names begin at the root. */
  readonly prefix: string
  readonly keyId: string
  readonly secret: string
}

/** Returns the site's bucket; null where it is not set up. */
export function bucketOf(options: OptionValues): Bucket | null {
  const bucket = {
    endpoint: options.TaskBucketEndpoint,
    region: options.TaskBucketRegion,
    name: options.TaskBucketName,
    isInHost: options.TaskBucketStyle === 'host',
    prefix: options.TaskBucketPrefix,
    keyId: options.TaskBucketKeyId,
    secret: options.TaskBucketSecret,
  }
  return bucket.endpoint && bucket.name && bucket.keyId && bucket.secret ? bucket : null
}

/** Returns the key of an object below the prefix. */
export const keyIn = ({ prefix }: Pick<Bucket, 'prefix'>, name: string): string =>
  prefix === '' ? name : `${prefix}/${name}`

/** Returns the address of an object; of the bucket itself for an empty key. */
export function addressIn({ endpoint, name, isInHost }: Bucket, key: string): URL {
  const url = new URL(endpoint)
  if (isInHost) url.hostname = `${name}.${url.hostname}`
  const path = [url.pathname.replace(/(?<!\/)\/+$/, ''), ...(isInHost ? [] : [name])].join('/')
  url.pathname = `${path}/${key}`
  return url
}
