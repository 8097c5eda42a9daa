import { AwsV4Signer } from 'aws4fetch'

import type { Authorize, Target } from '../provider'

type BedrockKey = { readonly region: string } & (
  | { readonly apiKey: string }
  | { readonly accessKeyId: string; readonly secretAccessKey: string }
)

const regionName = /^[a-z]{2}(?:-[a-z]+)+-\d+$/

/** The region a key is for; empty when the key is malformed, which `signed` then says. */
export const regionOf = ({ key }: Pick<Target, 'key'>): string => readKey(key)?.region ?? ''

/** Returns whether a key signs requests, also those to buckets, which an API key of Bedrock does not open. */
export const isSigningKey = (key: string): boolean => 'accessKeyId' in (readKey(key) ?? {})

/** Says that a request goes to a bucket, whose body is not signed. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export const ofBucket = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } as const

/**
 * A signature over the request, or an API key of Bedrock's own.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html. Only what no proxy on the way changes is signed.
 */
export const authorizeBedrock: Authorize = async ({ method = 'POST', url, headers: sent, body }, target, { now }) => {
  const key = readKey(target.key)
  if (key === null) throw new TypeError('The key must be AccessKeyID|SecretAccessKey|region or APIKey|region')
  if ('apiKey' in key) return { headers: { authorization: `Bearer ${key.apiKey}` } }
  const isOfBucket = Object.keys(ofBucket).some((name) => name in sent)
  const { 'content-type': contentType } = sent
  const bucketHeaders = { ...ofBucket, ...(contentType !== undefined && { 'content-type': contentType }) }
  const signer = new AwsV4Signer({
    method,
    url,
    ...key,
    ...(isOfBucket ? { headers: bucketHeaders, allHeaders: true, service: 's3' } : { body, service: 'bedrock' }),
    datetime: new Date(now()).toISOString().replaceAll(/[-:]|\.\d{3}/g, ''),
  })
  const { headers } = await signer.sign()
  return { headers: Object.fromEntries(headers) }
}

function readKey(key: string): BedrockKey | null {
  const parts = key.split('|').map((part) => part.trim())
  const region = parts.pop() ?? ''
  if (!regionName.test(region) || parts.includes('')) return null
  const [first, second, ...more] = parts
  if (first === undefined || more.length > 0) return null
  return second === undefined ? { region, apiKey: first } : { region, accessKeyId: first, secretAccessKey: second }
}
